"""The sources of the packages that are measured."""

ANNOTATED_EVERY = 20

# A type depends on the one so far before it. Not on the one right before: the compiler follows a chain of annotations on
# its stack, and cannot follow one of 1,000.
REACH = 100


class Kit:
    """A library that annotates types, and how a package uses it."""

    def __init__(self, name, plugin, folder, annotation, use):
        self.name = name
        self.plugin = plugin
        self.folder = folder
        self.annotation = annotation
        self.use = use

    @classmethod
    def task_kit(cls, repository):
        return cls(
            "TaskKit", "TaskKitPlugin", repository,
            lambda needs: f"@EventTask(event: .didFinishLaunching{f', dependencies: [{needs}]' if needs else ''})",
            "print(TaskRegistry.generated)")

    @classmethod
    def floor(cls, folder):
        return cls("Floor", "FloorPlugin", folder, lambda needs: f"@Annotated(after: [{needs}])", "")


def manifest(name, targets, kit=None):
    """A package; with a kit, one that depends on it and applies its plugin."""
    lines = []
    for target, kind, dependencies in targets:
        inside = [f'"{dependency}"' for dependency in dependencies]
        plugins = ""
        if kit:
            inside.append(f'.product(name: "{kit.name}", package: "{kit.folder.name}")')
            plugins = f', plugins: [.plugin(name: "{kit.plugin}", package: "{kit.folder.name}")]'
        lines.append(f'    .{kind}(name: "{target}", dependencies: [{", ".join(inside)}]{plugins}),')
    dependency = f'.package(path: "{kit.folder}")' if kit else ""
    return f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "{name}",
  platforms: [.macOS(.v15)],
  dependencies: [{dependency}],
  targets: [
{chr(10).join(lines)}
  ]
)
"""


def ordinary_file(number, edition=0):
    """A file as a program has many of: a type with some stored values, and functions that use those of others."""
    other = f"Model{number - 1}" if number else "Model0"
    return f"""/// What the program knows about thing number {number}.
struct Model{number}: Hashable {{
  var name: String
  var amounts: [Int]
  var parent: [{other}] = []

  init(name: String, amounts: [Int] = []) {{
    self.name = name
    self.amounts = amounts
  }}

  /// The sum of all amounts above a limit.
  func total(above limit: Int) -> Int {{
    var sum = {edition}
    for amount in amounts where amount > limit {{ sum += amount }}
    return sum
  }}

  func summary() -> String {{
    let listed = amounts.sorted().map {{ "\\($0)" }}.joined(separator: ", ")
    return "\\(name): \\(listed), \\(parent.map(\\.name)), \\(total(above: 3))"
  }}

  mutating func add(_ amount: Int) {{
    guard amount != 0 else {{ return }}
    amounts.append(amount)
    if amounts.count > 100 {{ amounts.removeFirst() }}
  }}
}}

extension Model{number} {{
  static func merged(_ first: Self, _ second: Self) -> Self {{
    Self(name: first.name + second.name, amounts: first.amounts + second.amounts)
  }}
}}
"""


def task_file(number, kit, edition=0):
    """An ordinary file with a type that is a task, or would be one."""
    needs = f"Work{number - ANNOTATED_EVERY}.self" if number else ""
    annotation = f"{kit.annotation(needs)}\n" if kit else ""
    head = f"import {kit.name}\n\n" if kit else ""
    return f"""{head}{annotation}enum Work{number} {{
  static func run() {{
    var model = Model{number}(name: "work")
    model.add({edition})
    precondition(model.total(above: 0) >= 0)
  }}
}}

{ordinary_file(number)}"""


def program(files, kit):
    """A module of many files, one task in every twentieth, and an executable."""
    sources = {}
    for number in range(files):
        is_task = number % ANNOTATED_EVERY == 0
        text = task_file(number, kit) if is_task else ordinary_file(number)
        sources[f"Sources/Feature/File{number:04}.swift"] = text
    sources["Sources/Feature/Entry.swift"] = "public func count() -> Int { Model0(name: \"\").total(above: 0) }\n"
    use = f"import {kit.name}\n\n{kit.use}\n" if kit else ""
    sources["Sources/App/main.swift"] = f"import Feature\n{use}\nprint(count())\n"
    return sources


def annotated_types(count):
    """Types with annotations, ten a file."""
    return _types(count, lambda number: f"""@EventTask(event: .didFinishLaunching{_needs(number)})
enum Task{number} {{
  static func run() -> Int {{ {number} }}
}}
""")


def handwritten_types(count):
    """The same types with what the macro would add, and the registry that the plugin would write, by hand."""
    sources = _types(count, lambda number: f"""enum Task{number}: LifecycleTask {{
  static func run() -> Int {{ {number} }}
  typealias Output = Int
  static var registration: TaskRegistration {{
    TaskRegistration(
      __name: "Tasks.Task{number}", type: self, collected: (),
      at: TaskLocation(#fileID, #line, 1),
      occasions: [TaskOccasion(.didFinishLaunching, __output: run)]{_needed(number)})
  }}
}}
""")
    registry = ["public import TaskKit", "", "public func tasks() -> ModuleTasks {",
                f'  var tasks = ModuleTasks(module: "Tasks", count: {count})']
    registry += [f"  add{chunk}(&tasks)" for chunk in range(0, count, 50)] + ["  return tasks", "}"]
    for chunk in range(0, count, 50):
        registry += ["", f"private func add{chunk}(_ tasks: inout ModuleTasks) {{"]
        for number in range(chunk, min(chunk + 50, count)):
            needs = f", dependencies: [{number - REACH}]" if number >= REACH else ""
            registry.append(f"  tasks.add(Task{number}.registration, at: {number}{needs})")
        registry.append("}")
    sources["Registry.swift"] = "\n".join(registry) + "\n"
    return sources


def plain_types(count, annotated):
    """The types with annotations for the tool, or with a registration that costs the compiler nothing."""
    def text(number):
        annotation = f"@EventTask(event: .didFinishLaunching{_needs(number)})\n" if annotated else ""
        return f"""{annotation}enum Task{number} {{
  static var registration: TaskRegistration {{ fatalError() }}
}}
"""
    return _types(count, text)


def _needs(number):
    return f", dependencies: [Task{number - REACH}.self]" if number >= REACH else ""


def _needed(number):
    if number < REACH:
        return ""
    other = f"Task{number - REACH}"
    return f',\n      dependencies: [TaskDependency(__type: {other}.self, "{other}")]'


def _types(count, text):
    sources = {}
    for first in range(0, count, 10):
        types = "\n".join(text(number) for number in range(first, min(first + 10, count)))
        sources[f"Tasks{first:04}.swift"] = f"import TaskKit\n\n{types}"
    return sources

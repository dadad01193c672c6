"""What is measured, one function a question. Each adds its rows to the table."""

import itertools

from Support import floor, sources
from Support.building import run


class Program:
    """A program of 1,000 files: without a kit, with one whose macro and plugin do nothing, and with TaskKit; all built."""

    def __init__(self, workspace):
        self.files = 1000 // workspace.divisor
        self.types = 1000 // workspace.divisor
        self.editions = itertools.count(1)
        empty_kit = workspace.package("floor-kit", floor.FILES)
        self.kits = {
            "without": None, "floor": sources.Kit.floor(empty_kit.folder),
            "with": sources.Kit.task_kit(workspace.repository),
        }
        program = [("Feature", "target", []), ("App", "executableTarget", ["Feature"]), ("Small", "target", [])]
        # In the same package as the program with TaskKit, so that swift-syntax is compiled once; in the others too, so that
        # all have as many targets to plan.
        types = [("Annotated", "target", []), ("Handwritten", "target", [])]
        self.packages = {}
        for name, kit in self.kits.items():
            files = sources.program(self.files, kit)
            files["Package.swift"] = sources.manifest(name, program + types, kit)
            files["Sources/Small/Small.swift"] = sources.task_file(0, kit)
            for target, texts in self.type_sources.items():
                if name != "with":
                    texts = {file: "// Only counts as a file.\n" for file in texts}
                files |= {f"Sources/{target}/{file}": text for file, text in texts.items()}
            self.packages[name] = workspace.package(name, files)
            self.packages[name].build("--product", "App")

    @property
    def with_kit(self):
        return self.packages["with"]

    @property
    def type_sources(self):
        return {"Annotated": sources.annotated_types(self.types), "Handwritten": sources.handwritten_types(self.types)}

    def compare(self, table, workspace, what, build, target):
        """Gives each package its turn in each round to be built as `build` says."""
        costs = workspace.alternate(*(
            lambda _, name=name: build(self.packages[name], self.kits[name]) for name in self.packages))
        without, empty, with_kit = costs
        _difference(table, workspace, what, without, empty, with_kit, target)


def clean(workspace, program, table):
    """A clean build of a module with one task, beyond swift-syntax and the macro: what more files cost is the same each time."""

    def build(package, _):
        package.clean_but_for_macro()
        return package.build("--target", "Small")

    program.compare(table, workspace, "clean build", build, 5)


def nothing(workspace, program, table):
    """A build with nothing to do."""
    program.compare(table, workspace, "nothing to do", lambda package, _: package.build("--product", "App"), 0.3)


def edit(workspace, program, table):
    """An edit in one of the files: in one without a task, and in the body of a task."""
    task = program.files // 2 // sources.ANNOTATED_EVERY * sources.ANNOTATED_EVERY

    def build(package, number, text):
        package.write(f"Sources/Feature/File{number:04}.swift", text)
        return package.build("--product", "App")

    program.compare(
        table, workspace, f"edit of 1 of {program.files} files",
        lambda package, _: build(package, task + 1, sources.ordinary_file(task + 1, next(program.editions))), 0.5)
    registry = next(program.with_kit.scratch.glob("plugins/outputs/*/Feature/**/TaskRegistry+Generated.swift"))
    date = registry.stat().st_mtime_ns
    program.compare(
        table, workspace, "edit of a task's body",
        lambda package, kit: build(package, task, sources.task_file(task, kit, next(program.editions))), 0.5)
    is_kept = registry.stat().st_mtime_ns == date
    table.add("registry file after these edits", workspace.configuration, "", "kept" if is_kept else "rewritten",
              "kept", is_kept)


def types(workspace, program, table):
    """A module of 1,000 annotated types against the same types with the registrations written by hand."""
    texts = program.type_sources
    for target in texts:
        program.with_kit.build("--target", target)

    def build(target, number):
        # Every file changes, so that the whole module is compiled again and nothing else is.
        for name, text in texts[target].items():
            program.with_kit.write(f"Sources/{target}/{name}", f"{text}// Edition {number}\n")
        return program.with_kit.build("--target", target)

    by_hand, annotated = workspace.alternate(
        lambda number: build("Handwritten", number), lambda number: build("Annotated", number))
    ratio = annotated.elapsed / by_hand.elapsed
    processor = annotated.processor / by_hand.processor
    # In a debug build the macro is built for debugging, too.
    is_release = workspace.configuration == "release"
    table.add(
        f"{program.types} annotated types", f"{workspace.configuration}, macro too",
        f"by hand {by_hand.elapsed:.2f} s, annotated {annotated.elapsed:.2f} s",
        f"{ratio:.2f} times ({processor:.2f} in processor time; "
        f"{annotated.least / by_hand.least:.2f} between the cheapest rounds)", "1.5 times" if is_release else None,
        ratio <= 1.5 if is_release else None)


def registry(workspace, program, table):
    """The registry file alone, for 300, 1,000 and 3,000 tasks: compile time per task must not grow."""
    kit = program.with_kit.products
    c_module = workspace.repository / "Sources/CTaskKit/include/module.modulemap"
    tool = _tool(program)
    costs = {}
    for count in [number // workspace.divisor for number in (300, 1000, 3000)]:
        folder = workspace.folder / f"registry{count}"
        for kind in ("annotated", "plain"):
            (folder / kind).mkdir(parents=True, exist_ok=True)
            for name, text in sources.plain_types(count, kind == "annotated").items():
                (folder / kind / name).write_text(text)
        generated = folder / "Registry.swift"
        run([tool, "--module", "Tasks", "--sources", folder / "annotated", "--output", generated], folder)
        optimization = "-O" if workspace.configuration == "release" else "-Onone"
        command = ["swiftc", "-c", "-wmo", optimization, "-parse-as-library", "-swift-version", "6", "-module-name",
                   "Tasks", "-I", kit / "Modules", "-Xcc", f"-fmodule-map-file={c_module}", "-o",
                   folder / "Tasks.o", *sorted((folder / "plain").iterdir())]
        without, with_registry = workspace.alternate(
            lambda _: run(command, folder)[0], lambda _: run([*command, generated], folder)[0])
        costs[count] = with_registry.processor - without.processor
    counts = list(costs)
    each = ", ".join(f"{count}: {costs[count]:.2f} s" for count in counts)
    growth = (costs[counts[2]] / counts[2]) / (costs[counts[0]] / counts[0])
    table.add("registry file alone", workspace.configuration, each,
              f"a task of {counts[2]} costs {growth:.2f} times one of {counts[0]}", "1.3 times", growth <= 1.3)


def scanner(workspace, program, table):
    """The tool over real source: swift-syntax as it is, and with a task in every file, so that each is read."""
    tool = _tool(program)
    real = sorted(program.with_kit.scratch.glob("checkouts/**/*.swift"))
    folder = workspace.folder / "source"
    requests = {}
    for kind in ("skipped", "read"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        lines, size = ["module\tSource"], 0
        # Five times each file, so that starting the tool does not count.
        for number, path in enumerate(real * 5):
            text = path.read_bytes()
            if kind == "read":
                text += b"\n@EventTask(event: .idle) enum AddedTask%d {}\n" % number
            file = folder / kind / f"{number:05}.swift"
            file.write_bytes(text)
            lines.append(f"file\t{file}\t{file.name}")
            size += len(text)
        request = folder / f"{kind}.request"
        request.write_text("\n".join(lines) + "\n")
        requests[kind] = (request, size)
    for kind, (request, size) in requests.items():
        command = [tool, "--request", request, "--output", folder / f"{kind}.swift"]
        (cost,) = workspace.alternate(lambda _: run(command, folder)[0])
        speed = size / 1e6 / cost.processor
        is_release = workspace.configuration == "release"
        table.add(f"source {kind} by the tool", workspace.configuration,
                  f"{size / 1e6:.0f} MB in {cost.processor:.2f} s of one core", f"{speed:.0f} MB/s",
                  "50 MB/s" if is_release else None, speed >= 50 if is_release else None)


def _tool(program):
    names = ("taskkit-generate-tool", "taskkit-generate")
    return next(path for path in program.with_kit.products.iterdir() if path.name in names)


def _difference(table, workspace, what, without, empty, with_kit, target):
    """Judges by the processor time of the cheapest rounds: what else runs on the machine can only add to a round."""
    added = with_kit.least - without.least
    table.add(
        what, workspace.configuration,
        f"without {without.elapsed:.2f} s, empty kit {empty.elapsed:.2f} s, with {with_kit.elapsed:.2f} s",
        f"{with_kit.elapsed - without.elapsed:+.2f} s; processor time {with_kit.processor - without.processor:+.2f} s, "
        f"least {added:+.2f} s, of which empty kit {empty.least - without.least:+.2f} s",
        f"{target} s", added <= target)


# The clean builds last: after them nothing else is built any more.
ALL = {"nothing": nothing, "edit": edit, "types": types, "registry": registry, "scanner": scanner, "clean": clean}

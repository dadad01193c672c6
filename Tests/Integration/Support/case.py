"""A case: a folder with sources, and what its comments say about them."""

import re
from dataclasses import dataclass, field
from pathlib import Path

EXPECTATION = re.compile(r"//\s*(error|warning|note|generated error): ")
PRINTS = re.compile(r"//\s*prints(?: in (debug|release))?: ?(.*)$")
DIRECTIVE = re.compile(r"^// (settings|plugin|traits|configurations|reported): (.*)$", re.MULTILINE)
IMPORT = re.compile(
    r"^\s*(?:@\w+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|enum|class|protocol|func|var|let|typealias)\s+)?(\w+)", re.MULTILINE)
CONFIGURATIONS = ("debug", "release")
REGISTRY = "TaskRegistry+Generated.swift"
# The products of TaskKit that a case may import.
PRODUCTS = ["TaskKit", "TaskKitTesting", "TaskKitDurable", "TaskKitDurableTesting", "TaskKitPostgres", "TaskGraph"]
# Those that a package gets only when it asks for them, with what it asks for.
TRAITS = {"TaskKitDurable": "Durable", "TaskKitDurableTesting": "Durable", "TaskKitPostgres": "Postgres"}


@dataclass(frozen=True)
class Expectation:
    """`// error: part of the message` behind the code that is meant, or on a line of its own in front of it.

    `// generated error: …` stands anywhere and speaks of a registry.
    """
    path: str
    line: int
    severity: str
    text: str

    def isMet(self, by):
        path, line, severity, message = by
        if self.text not in message:
            return False
        if self.severity == "generated error":
            return severity == "error" and path.endswith(REGISTRY)
        return (path, line, severity) == (self.path, self.line, self.severity)

    def __str__(self):
        return f"{self.path}:{self.line}: {self.severity}: … {self.text} …"


@dataclass
class Module:
    """A folder of sources: `App`, `my-module`, `AppTests`."""
    name: str
    folder: Path
    package: "str | None"
    files: "list[Path]" = field(default_factory=list)

    def __post_init__(self):
        self.sources = {path: path.read_text() for path in self.files}
        text = "\n".join(self.sources.values())
        self.imports = set(IMPORT.findall(text))
        directives = {}
        for key, value in DIRECTIVE.findall(text):
            directives[key] = f"{directives[key]}, {value}" if key in directives else value
        self.settings = directives.get("settings")
        self.usesPlugin = bool(self.imports & {"TaskKit", "TaskKitDurable"}) and directives.get("plugin") != "none"
        self.asksForTraits = directives.get("traits") != "none"
        self.configurations = directives["configurations"].split() if "configurations" in directives else CONFIGURATIONS
        self.mayStopEarly = directives.get("reported") == "one module"
        self.isTest = self.name.endswith("Tests")
        self.isExecutable = not self.isTest and (
            any(path.name == "main.swift" for path in self.files) or re.search(r"^\s*@main\b", text, re.MULTILINE))

    @property
    def importName(self):
        """What one writes behind `import`."""
        return re.sub(r"\W", "_", self.name)

    def prints(self, configuration):
        """The lines that the program has to print."""
        found = [PRINTS.search(line) for path in self.files for line in self.sources[path].splitlines()]
        return [match[2] for match in found if match and match[1] in (None, configuration)]


class Case:
    """All modules of a folder; their dependencies are what they import.

    `Case/*.swift` is one module, `App`; `Case/Name/*.swift` is the module `Name`; `Case/Packages/name/Name/*.swift`
    is a module of another package.
    """

    def __init__(self, folder, root, common=None):
        self.name = str(folder.relative_to(root))
        self.folder = folder
        self.modules = []
        folders = [folder] if common is None else [folder, common]
        flat = [path for place in folders for path in sorted(place.glob("*.swift"))]
        if flat:
            self.modules.append(Module("App", folder, None, flat))
        for place in folders:
            for child in sorted(place.iterdir()):
                if child.name == "Packages":
                    for package in sorted(child.iterdir()):
                        for module in sorted(package.iterdir()):
                            self.add(module, package.name)
                elif child.is_dir():
                    self.add(child, None)
        # What one module says about settings holds for the others that say nothing.
        said = next((module.settings for module in self.modules if module.settings), "none")
        for module in self.modules:
            settings = module.settings or said
            module.settings = "" if settings == "none" else settings

    def add(self, folder, package):
        files = sorted(folder.rglob("*.swift"))
        if files:
            self.modules.append(Module(folder.name, folder, package, files))

    @property
    def configurations(self):
        return [name for name in CONFIGURATIONS if all(name in module.configurations for module in self.modules)]

    @property
    def mayStopEarly(self):
        """Whether it is enough that the mistakes of one module are reported."""
        return any(module.mayStopEarly for module in self.modules)

    def expectations(self):
        found = []
        for module in self.modules:
            for path, source in module.sources.items():
                found += expectations(self.path(module, path), source)
        return found

    def path(self, module, path):
        """Where the file stands in the workspace."""
        inside = path.relative_to(module.folder) if path.is_relative_to(module.folder) else Path(path.name)
        base = Path("Packages", module.package) if module.package else Path()
        return str(base / "Sources" / module.name / inside)


def expectations(path, source):
    found, waiting = [], []
    for number, line in enumerate(source.splitlines(), 1):
        parts = EXPECTATION.split(line)
        pairs = [(severity, text.strip()) for severity, text in zip(parts[1::2], parts[2::2])]
        if pairs and not parts[0].strip():
            # On a line of its own it speaks of the code below.
            waiting += pairs
            continue
        found += [Expectation(path, number, severity, text) for severity, text in waiting + pairs]
        waiting = []
    return found

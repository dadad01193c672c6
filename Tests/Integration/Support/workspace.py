"""A package folder that each case is copied into, so that swift-syntax and TaskKit are compiled once."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from case import PRODUCTS, REGISTRY, TRAITS

PLACE = r"(?P<path>[^\s:`][^:]*):(?P<line>\d+):(?:\d+:)?"
SAID = r"(?P<severity>error|warning|note): (?P<message>.*)$"
DIAGNOSTIC = re.compile(f"^{PLACE} {SAID}")
# Below each diagnostic stands an excerpt of its file, with the notes in it.
EXCERPT = re.compile(r"^ *(?P<line>\d+) \|")
NOTE = re.compile(r"^ *\|[ |]*[|`]- note: (?P<message>.*)$")
# Inside a macro's expansion: the excerpt of the file around it has a note at the annotation.
EXPANSION = re.compile(f"^macro expansion @\\w+:\\d+:\\d+: {SAID}")
ORIGIN = re.compile(f"^`- {PLACE} note: expanded code originates here")
IN_EXPANSION = "in expansion of macro"
UNPLACED = re.compile(r"^(?P<severity>error|warning): (?P<message>.*)$")
# What SwiftPM adds when a command failed that has said why.
FOLLOWS_FROM_ANOTHER = re.compile(r"command failed with exit code|fatalError|Build failed|^cancelled$")
# A release build would compile swift-syntax, which only runs while the compiler does, with all optimisations: eight
# minutes of a CI machine for two of what is looked at here. What a toolset says holds for the program and not for what
# runs while building, and what is said to the frontend holds against what is said to the compiler.
RELEASE = ["-Xswiftc", "-Onone", "--toolset", str(Path(__file__).with_name("optimised-program.json"))]


class Workspace:
    """One for each configuration, with results of its own, so that both can be at work at once."""

    def __init__(self, repository, configuration):
        self.configuration = configuration
        self.base = repository / ".build-integration"
        self.folder = self.base / f"workspace-{configuration}"
        # The documentation's code and the example are built there too, in debug.
        self.scratch = self.base / ("build" if configuration == "debug" else "build-release")

    # What is in it

    def put(self, case):
        """Replaces the former case. Its results go too: an up-to-date build repeats no warning."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in ("Sources", "Packages"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        self.forget(case)
        for module in case.modules:
            for path, source in module.sources.items():
                target = self.folder / case.path(module, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(source)
        packages = sorted({module.package for module in case.modules if module.package})
        for package in [None] + packages:
            folder = self.folder / "Packages" / package if package else self.folder
            manifest = self.manifest(case, package)
            path = folder / "Package.swift"
            # A manifest that stays as it was need not be compiled again.
            if not path.exists() or path.read_text() != manifest:
                path.write_text(manifest)

    def forget(self, case):
        for registry in (self.scratch / "plugins" / "outputs").rglob(REGISTRY):
            registry.unlink()
        for module in case.modules:
            for path in (self.products / f"{module.importName}.build").rglob("*"):
                # SwiftPM writes its lists of files only when it plans anew, which it may not find necessary.
                if path.suffix in (".o", ".d", ".dia", ".swiftdeps", ".swiftmodule"):
                    path.unlink()

    @property
    def products(self):
        return self.scratch / self.configuration

    @staticmethod
    def traits(case):
        """Of one build: the whole case asks for the same."""
        imports = {name for module in case.modules for name in module.imports}
        asks = all(module.asksForTraits for module in case.modules)
        return sorted({trait for product, trait in TRAITS.items() if asks and product in imports})

    def manifest(self, case, package):
        own = [module for module in case.modules if module.package == package]
        others = {module.importName: module for module in case.modules}
        packages = sorted({
            others[name].package for module in own for name in module.imports
            if name in others and others[name].package not in (None, package)})
        up = "../../../.." if package else "../.."
        beside = "../" if package else "Packages/"
        traits = ", ".join(f'"{trait}"' for trait in self.traits(case))
        asked = f", traits: [{traits}]" if traits else ""
        dependencies = [f'.package(name: "TaskKit", path: "{up}"{asked})'] + [f'.package(path: "{beside}{name}")' for name in packages]
        products = [
            f'.library(name: "{module.name}", targets: ["{module.name}"]),' for module in own
            if package and not module.isExecutable and not module.isTest]
        targets = "\n".join(self.target(module, others) for module in own)
        return f"""\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "{package or 'Workspace'}",
  platforms: [.macOS(.v15)],
  products: [{" ".join(products)}],
  dependencies: [{", ".join(dependencies)}],
  targets: [
{targets}
  ])
"""

    def target(self, module, others):
        kind = "testTarget" if module.isTest else "executableTarget" if module.isExecutable else "target"
        dependencies = [f'.product(name: "{name}", package: "TaskKit")' for name in PRODUCTS if name in module.imports]
        for name in sorted(module.imports & others.keys() - {module.importName}):
            other = others[name]
            if other.package == module.package:
                dependencies.append(f'"{other.name}"')
            else:
                dependencies.append(f'.product(name: "{other.name}", package: "{other.package}")')
        plugin = '.plugin(name: "TaskKitPlugin", package: "TaskKit")' if module.usesPlugin else ""
        return (
            f'    .{kind}(name: "{module.name}", dependencies: [{", ".join(dependencies)}], '
            f'path: "Sources/{module.name}", swiftSettings: [{module.settings}], plugins: [{plugin}]),')

    # What can be done with it

    def swift(self, *arguments):
        command = ["swift", arguments[0], "--package-path", str(self.folder), "--scratch-path", str(self.scratch)]
        # SwiftPM names traits to the compiler in an order of chance (6.3.1): in another one all is compiled again.
        steady = {"SWIFT_DETERMINISTIC_HASHING": "1"} if arguments[0] == "build" else {}

        def result():
            return subprocess.run(
                command + list(arguments[1:]), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                errors="replace", env={**os.environ, "TERM": "dumb", "NO_COLOR": "1", **steady})

        # SwiftPM itself crashes now and then (6.3.1 on Linux); that says nothing about the package.
        first = result()
        last = first if first.returncode >= 0 else result()
        return last.returncode, last.stdout

    def build(self, *arguments):
        return self.swift("build", *self.flags, *arguments)

    def test(self):
        """Runs the tests that were built."""
        return self.swift("test", *self.flags, "--skip-build", "--disable-xctest")

    @property
    def flags(self):
        return ["-c", self.configuration, *(RELEASE if self.configuration == "release" else [])]

    def diagnostics(self, output):
        """Everything said about a source, once, with paths relative to the workspace; and what has no place."""
        placed, unplaced = [], []
        path, line, inside = None, 0, None

        def add(line, severity, message):
            found = (os.path.relpath(path, self.folder) if os.path.isabs(path) else path, line, severity, message)
            if found not in placed:
                placed.append(found)

        for text in output.splitlines():
            if match := EXPANSION.match(text):
                inside = match
            elif match := DIAGNOSTIC.match(text):
                path = match["path"]
                add(int(match["line"]), match["severity"], match["message"])
            elif match := ORIGIN.match(text):
                path = match["path"]
            elif match := EXCERPT.match(text):
                line = int(match["line"])
            elif match := NOTE.match(text):
                if inside and match["message"].startswith(IN_EXPANSION):
                    add(line, inside["severity"], inside["message"])
                    inside = None
                elif path:
                    add(line, "note", match["message"])
            elif match := UNPLACED.match(text):
                if match["severity"] == "warning" or not FOLLOWS_FROM_ANOTHER.search(match["message"]):
                    unplaced.append(text)
        if inside:
            unplaced.append(inside[0])
        return placed, unplaced

"""What cannot be said by comments in sources: what a second build does, and what a stranger gets with TaskKit."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from case import REGISTRY

# Lines of a build in which something was compiled, linked or generated. SwiftPM names the plugin in every build, also
# when it takes the one that it has.
WORK = re.compile(r"^\[\d+/\d+\] (?!Planning build|Write swift-version|Compiling plugin)", re.MULTILINE)
# The part of it that takes time.
COMPILING = re.compile(r"^\[\d+/\d+\] (Compiling (?!plugin)|Emitting module)", re.MULTILINE)


class Behaviors:
    """Each public method is one check on a built copy of `Right/Modules`; it returns what is not as expected."""

    def __init__(self, workspace, case):
        self.workspace = workspace
        self.case = case

    def prepare(self):
        self.workspace.put(self.case)
        return self.build()

    def build(self):
        return self.workspace.build()

    def registries(self):
        """For each registry its identity and time: both change when it is written again."""
        found = (self.workspace.scratch / "plugins" / "outputs").rglob(REGISTRY)
        return {str(path): (path.stat().st_ino, path.stat().st_mtime_ns) for path in found}

    def edit(self, path, old, new):
        file = self.workspace.folder / "Sources" / path
        text = file.read_text()
        assert old in text, f"{path} does not contain {old!r}"
        file.write_text(text.replace(old, new))

    def rebuild(self, status=0):
        """Builds again; the problem, if it does not end as it should, and the registries that were written."""
        before = self.registries()
        actual, output = self.build()
        changed = [name for name, identity in self.registries().items() if before.get(name) != identity]
        problems = [] if (actual == 0) == (status == 0) else [f"the build ends with status {actual}:\n{output}"]
        return problems, changed, output

    # What a second build does

    def nothingToDoCompilesNothing(self):
        """SwiftPM links a plugin's tool once more in the second build, so that the tool runs; but it writes nothing."""
        problems, changed, output = self.rebuild()
        problems += [f"writes {name}" for name in changed]
        return problems + [f"runs: {line}" for line in output.splitlines() if COMPILING.match(line)]

    def nothingToDoRunsNothing(self):
        problems, changed, output = self.rebuild()
        problems += [f"writes {name}" for name in changed]
        return problems + [f"runs: {line}" for line in output.splitlines() if WORK.match(line)]

    def changedBodyKeepsRegistries(self):
        self.edit("Core/Storage.swift", "\"storage\"", "\"the storage\"")
        problems, changed, output = self.rebuild()
        if not WORK.search(output):
            problems.append("the edit is not compiled")
        return problems + [f"writes {name}" for name in changed]

    def changedAnnotationRewritesRegistry(self):
        self.edit("Left/LeftTasks.swift", "dependencies: [OpenStorage.self]", "dependencies: []")
        problems, changed, _ = self.rebuild()
        return problems + ([] if any("/Left/" in name for name in changed) else [f"writes {changed}, not that of Left"])

    def newFileIsCollected(self):
        path = self.workspace.folder / "Sources" / "Left" / "Added.swift"
        path.write_text(
            "import TaskKit\n\n@EventTask(event: .didFinishLaunching)\nenum Added {\n  static func run() { print(\"added\") }\n}\n")
        problems, _, _ = self.rebuild()
        return problems + self.expectOutput("added", True)

    def removedFileIsForgotten(self):
        (self.workspace.folder / "Sources" / "Left" / "Added.swift").unlink()
        problems, _, _ = self.rebuild()
        return problems + self.expectOutput("added", False)

    def mistakeInAnotherModuleIsFound(self):
        """The registry of App depends on what Core declares, although nothing in App changes."""
        self.edit("Core/Storage.swift", "enum OpenStorage {", "enum OpenTheStorage {")
        problems, _, output = self.rebuild(status=1)
        return problems + ([] if "OpenStorage" in output else [f"does not name 'OpenStorage':\n{output}"])

    def repairedMistakeBuilds(self):
        self.edit("Core/Storage.swift", "enum OpenTheStorage {", "enum OpenStorage {")
        problems, _, _ = self.rebuild()
        return problems

    def toolRefusesWhatIsNotThere(self):
        """Else it would be taken for a module without tasks."""
        folder = self.workspace.products
        # Newer versions of SwiftPM call what runs while building by another name.
        tool = next(path for path in map(folder.joinpath, ["taskkit-generate-tool", "taskkit-generate"]) if path.exists())
        output = self.workspace.base / "Refused.swift"
        problems = []
        for arguments, reason in [
                ("--module App --sources /nonexistent", "there is no directory /nonexistent"),
                (f"--module App --sources {self.workspace.folder} --dependency Core=/nonexistent",
                 "there is no directory /nonexistent"),
                ("--request /nonexistent", "cannot read /nonexistent")]:
            result = subprocess.run(
                [tool, *arguments.split(), "--output", output], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if result.returncode != 1 or not result.stderr.startswith(f"error: {reason}"):
                problems.append(f"'{arguments}' ends with status {result.returncode}: {result.stderr}")
            if output.exists():
                problems.append(f"'{arguments}' writes a registry")
                output.unlink()
        return problems

    def expectOutput(self, text, isExpected):
        program = self.workspace.products / "App"
        printed = subprocess.run([str(program)], stdout=subprocess.PIPE, text=True).stdout
        if (text in printed.splitlines()) == isExpected:
            return []
        return [f"the program {'does not print' if isExpected else 'prints'} '{text}'"]

    # What a stranger gets

    def resolvesSwiftSyntaxOnly(self):
        status, output = self.workspace.swift("package", "show-dependencies", "--format", "json")
        if status != 0 or "{" not in output:
            return [output]

        def names(package):
            for dependency in package["dependencies"]:
                yield dependency["name"].lower()
                yield from names(dependency)

        resolved = set(names(json.loads(output[output.index("{"):])))
        return [] if resolved == {"taskkit", "swift-syntax"} else [f"resolves {sorted(resolved)}"]

    def productWithoutTraitResolvesNoMore(self):
        """Jobs in memory cost nobody a database."""
        manifest = self.workspace.folder / "Package.swift"
        text = manifest.read_text()
        product = '.product(name: "TaskKit", package: "TaskKit")'
        manifest.write_text(text.replace(product, f'{product}, .product(name: "TaskKitDurable", package: "TaskKit")', 1))
        try:
            problems = self.resolvesSwiftSyntaxOnly()
            status, output = self.build()
            return problems + ([] if status == 0 else [f"does not build:\n{output}"])
        finally:
            manifest.write_text(text)

    def linksNothingThirdParty(self):
        program = str(self.workspace.products / "App")
        isDarwin = sys.platform == "darwin"
        libraries = subprocess.run(
            ["otool", "-L", program] if isDarwin else ["ldd", program], stdout=subprocess.PIPE, text=True).stdout
        known = r"/usr/lib/|/System/Library/" if isDarwin else r"linux-vdso|/lib/|/lib64/|/usr/lib"
        problems = [
            f"loads {line.strip()}" for line in libraries.splitlines()
            if line.startswith(("\t", " ")) and not re.search(known, line)]
        modules = {path.name for path in linkedObjects(Path(os.path.realpath(program)).parent)}
        own = {module.importName for module in self.case.modules} | {"TaskKit", "TaskGraph", "CTaskKit"}
        problems += [f"links {name}" for name in sorted(modules - own)]
        symbols = subprocess.run(["nm", program], stdout=subprocess.PIPE, text=True).stdout
        return problems + (["contains symbols of swift-syntax"] if "SwiftSyntax" in symbols else [])


def linkedObjects(folder):
    """The folders of the objects that App was linked from: one for each module."""
    listed = (folder / "App.product" / "Objects.LinkFileList").read_text().split()
    for name in listed:
        parent = Path(name.strip("'\"")).parent
        while parent.suffix != ".build" and parent != parent.parent:
            parent = parent.parent
        yield parent.with_suffix("")


# In this order, because each goes on where the one before ended.
ORDER = [
    "resolvesSwiftSyntaxOnly", "linksNothingThirdParty", "nothingToDoCompilesNothing", "nothingToDoRunsNothing",
    "changedBodyKeepsRegistries", "changedAnnotationRewritesRegistry", "newFileIsCollected", "removedFileIsForgotten",
    "mistakeInAnotherModuleIsFound", "repairedMistakeBuilds", "toolRefusesWhatIsNotThere",
    "productWithoutTraitResolvesNoMore",
]

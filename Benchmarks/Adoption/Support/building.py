"""Building packages, and measuring how long that takes."""

import dataclasses
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import time


@dataclasses.dataclass
class Cost:
    """What a command took: on the clock, and of all processors together."""

    elapsed: float
    processor: float
    # Of several rounds, the processor time of the cheapest one: what others do on the machine can only add to it.
    least: float = 0


def run(command, folder, check=True):
    """Runs a command and returns what it cost and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    elapsed = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if check and result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed in {folder}:\n{result.stdout[-4000:]}")
    processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Cost(elapsed, processor), result.stdout


def median(costs):
    return Cost(
        statistics.median(c.elapsed for c in costs), statistics.median(c.processor for c in costs),
        min(c.processor for c in costs))


class Workspace:
    """A folder with packages, the configuration they are built in, and how often they are measured."""

    def __init__(self, folder, repository, configuration, rounds, divisor):
        self.folder = folder
        self.repository = repository
        self.configuration = configuration
        self.rounds = rounds
        self.divisor = divisor
        self.compiler = run(["swift", "--version"], folder)[1].splitlines()[0].strip()

    def package(self, name, files):
        return Package(self, self.folder / name, files)

    def alternate(self, *sides):
        """Gives each function its turn in each round; returns the medians of what they return."""
        costs = [[] for _ in sides]
        for number in range(self.rounds):
            for side in sorted(range(len(sides)), reverse=number % 2 == 1):
                costs[side].append(sides[side](number))
        return [median(side) for side in costs]


class Package:
    """A package on the disk."""

    def __init__(self, workspace, folder, files):
        self.workspace = workspace
        self.folder = folder
        self.scratch = folder / ".build"
        for path in (folder / "Sources").rglob("*.swift"):
            if str(path.relative_to(folder)) not in files:
                path.unlink()
        for path, text in files.items():
            self.write(path, text)

    def write(self, path, text):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        # What is the same in a folder that is kept need not be built again.
        if not file.exists() or file.read_text() != text:
            file.write_text(text)

    def build(self, *arguments):
        return self._swift(*arguments)[0]

    @property
    def products(self):
        """Where the build puts what it makes."""
        return pathlib.Path(self._swift("--show-bin-path")[1].splitlines()[-1]).resolve()

    def _swift(self, *arguments):
        command = ["swift", "build", "-c", self.workspace.configuration, *arguments]
        return run(command, self.folder)

    def clean_but_for_macro(self):
        """Deletes what was built, apart from swift-syntax and the macro."""
        # Those, the cache of system modules, and what SwiftPM writes while planning, which is not built again.
        kept = ("Swift", "_Swift", "TaskKitMacros", "FloorMacros", "Module", "swift-version", "description.json",
                "plugin-tools-description.json")
        products = self.products
        for folder in (products, products / "Modules", products / "Modules-tool"):
            for entry in folder.iterdir() if folder.exists() else []:
                if not entry.name.startswith(kept):
                    _delete(entry)
        shutil.rmtree(self.scratch / "plugins" / "cache", ignore_errors=True)
        for registry in self.scratch.glob("plugins/outputs/**/*.swift"):
            registry.unlink()


def _delete(entry):
    if not entry.is_dir():
        if entry.name != "output-file-map.json":
            entry.unlink()
        return
    for inner in entry.iterdir():
        _delete(inner)

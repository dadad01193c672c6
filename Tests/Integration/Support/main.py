"""Runs the cases; see ../README.md."""

import argparse
import sys
import time
from pathlib import Path

from behaviors import ORDER, Behaviors
from case import CONFIGURATIONS, Case
from checking import compare, differences
from workspace import Workspace

ROOT = Path(__file__).resolve().parents[1]
# What the cases of SelfCheck have to be blamed for, and nothing else: their comments are wrong.
BLAMED = {
    "WrongExpectations": [
        "missing: Sources/App/Tasks.swift:5: error: … nobody says this …",
        "missing: Sources/App/Tasks.swift:9: warning: … cannot find …",
        "unexpected: Sources/App/Tasks.swift:6: error: cannot find",
        "unexpected: Sources/App/Tasks.swift:9: error: cannot find",
        "unexpected: Sources/App/Tasks.swift:11: warning: nobody expects this",
    ],
    "WrongSuccess": [
        "missing: Sources/App/Tasks.swift:1: error: … nobody says this …",
        "the build succeeds, although errors are expected",
    ],
    "WrongPrints": [
        "App prints in line 2:\n      two\n    instead of:\n      three",
        "App prints in line 3:\n      four\n    instead of:\n      None",
    ],
    "WrongStatus": ["App ends with status 3"],
    "WrongTest": ["the tests do not succeed"],
}


class Run:
    def __init__(self, filters, runs):
        self.filters = filters
        self.runs = runs
        self.wrong = 0
        self.count = 0

    def wants(self, name):
        return not self.filters or any(text in name for text in self.filters)

    def check(self, name, body, always=False):
        """One line for what is as expected; the differences and the output for what is not."""
        if not self.wants(name) and not always:
            return True
        start = time.monotonic()
        found, output = body()
        self.count += 1
        print(f"{'WRONG      ' if found else 'as expected'}  {name}  {time.monotonic() - start:.1f} s", flush=True)
        if found:
            self.wrong += 1
            for difference in found:
                print(f"    {difference}")
            print("    What the build said:")
            print("\n".join(f"    | {line}" for line in output.splitlines()[-60:]), flush=True)
        return not found


def folders(*parts):
    return sorted(path for path in ROOT.joinpath(*parts).iterdir() if path.is_dir())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("filters", nargs="*", metavar="CASE", help="a part of the names of the cases to run; default: all")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="run each program so often (default: once)")
    parser.add_argument(
        "--configuration", choices=CONFIGURATIONS, action="append", metavar="NAME", help="debug or release; default: both")
    options = parser.parse_args()
    run = Run(options.filters, options.runs)
    start = time.monotonic()
    for configuration in options.configuration or CONFIGURATIONS:
        checkAll(Workspace(ROOT.parents[1], configuration), run)
    print(f"from outside: {run.count} checks in {time.monotonic() - start:.0f} s, {run.wrong or 'none'} not as expected")
    return 1 if run.wrong or not run.count else 0


def checkAll(workspace, run):
    configuration = workspace.configuration
    common = ROOT / "Settings" / "Common"
    right = [Case(folder, ROOT) for folder in folders("Right")]
    right += [Case(folder, ROOT, common) for folder in folders("Settings") if folder != common]
    behaving = next(case for case in right if case.name == "Right/Modules")
    names = {case: f"{case.name} in {configuration}" for case in right if configuration in case.configurations}
    # What must be refused is refused before anything is optimised.
    mistakes = [Case(folder, ROOT) for folder in folders("Mistakes")] if configuration == "debug" else []
    names |= {case: case.name for case in mistakes}
    # What needs only one configuration costs no second build of swift-syntax.
    if configuration == "release" and not any(map(run.wants, names.values())):
        return
    if not prepare(workspace, run):
        return
    if configuration == "debug":
        selfCheck(workspace, run)
        checkBehaviors(workspace, run, behaving)
    # Who asks for another trait has all of TaskKit compiled again; and SwiftPM plans anew, and links the plugin's tool
    # again, when the manifest changes.
    for case in sorted(names, key=lambda case: (workspace.traits(case), workspace.manifest(case, None), case.name)):
        run.check(names[case], lambda: differences(workspace, case, run.runs))


def selfCheck(workspace, run):
    """A check that cannot fail is worth nothing."""
    for name, blamed in BLAMED.items():
        case = Case(ROOT / "SelfCheck" / name, ROOT)

        def body():
            found, output = differences(workspace, case)
            problems = [f"not reported: {text}" for text in blamed if not any(line.startswith(text) for line in found)]
            problems += [f"reported: {line}" for line in found if not any(line.startswith(text) for text in blamed)]
            return problems, output

        run.check(case.name, body)


def prepare(workspace, run):
    """Compiles TaskKit and with it swift-syntax, which takes minutes the first time; nothing else makes sense without."""
    workspace.put(Case(ROOT / "Right" / "NoTasks", ROOT))

    def body():
        status, output = workspace.build("--target", "TaskKit")
        found = compare([], *workspace.diagnostics(output))
        return found + (["TaskKit does not build"] if status != 0 else []), output

    return run.check(f"TaskKit in {workspace.configuration}", body, always=True)


def checkBehaviors(workspace, run, case):
    behaviors = Behaviors(workspace, case)
    names = [f"Behavior/{name}" for name in ORDER]
    # Each goes on where the one before ended: all or none.
    if not any(run.wants(name) for name in names):
        return
    status, output = behaviors.prepare()
    for name in ORDER:
        run.check(
            f"Behavior/{name}", lambda: (getattr(behaviors, name)() if status == 0 else ["does not build"], output), always=True)


if __name__ == "__main__":
    sys.exit(main())

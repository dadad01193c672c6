"""Runs the cases; see ../README.md."""

import argparse
import sys
import time
from pathlib import Path

from behaviors import ORDER, Behaviors
from case import Case
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
    options = parser.parse_args()
    workspace = Workspace(ROOT.parents[1])
    run = Run(options.filters, options.runs)
    start = time.monotonic()

    mistakes = [Case(folder, ROOT) for folder in folders("Mistakes")]
    # Cases of one manifest next to each other: SwiftPM plans anew, and links the plugin's tool again, when it changes.
    mistakes.sort(key=lambda case: (workspace.manifest(case, None), case.name))
    right = [Case(folder, ROOT) for folder in folders("Right")]
    common = ROOT / "Settings" / "Common"
    right += [Case(folder, ROOT, common) for folder in folders("Settings") if folder != common]
    # What needs only one configuration costs no second build of swift-syntax.
    isNeeded = any("release" in case.configurations and run.wants(f"{case.name} in release") for case in right)
    if prepare(workspace, run, "debug"):
        selfCheck(workspace, run)
        for case in mistakes:
            run.check(case.name, lambda: differences(workspace, case, "debug"))
        checkRight(workspace, run, right, "debug")
        checkBehaviors(workspace, run, next(case for case in right if case.name == "Right/Modules"))
        if isNeeded and prepare(workspace, run, "release"):
            checkRight(workspace, run, right, "release")

    print(f"from outside: {run.count} checks in {time.monotonic() - start:.0f} s, {run.wrong or 'none'} not as expected")
    return 1 if run.wrong or not run.count else 0


def checkRight(workspace, run, cases, configuration):
    for case in cases:
        if configuration in case.configurations:
            run.check(f"{case.name} in {configuration}", lambda: differences(workspace, case, configuration, run.runs))


def selfCheck(workspace, run):
    """A check that cannot fail is worth nothing."""
    for name, blamed in BLAMED.items():
        case = Case(ROOT / "SelfCheck" / name, ROOT)

        def body():
            found, output = differences(workspace, case, "debug")
            problems = [f"not reported: {text}" for text in blamed if not any(line.startswith(text) for line in found)]
            problems += [f"reported: {line}" for line in found if not any(line.startswith(text) for text in blamed)]
            return problems, output

        run.check(case.name, body)


def prepare(workspace, run, configuration):
    """Compiles TaskKit and with it swift-syntax, which takes minutes the first time; nothing else makes sense without."""
    workspace.put(Case(ROOT / "Right" / "NoTasks", ROOT))

    def body():
        status, output = workspace.build(configuration, "--target", "TaskKit")
        found = compare([], *workspace.diagnostics(output))
        return found + (["TaskKit does not build"] if status != 0 else []), output

    return run.check(f"TaskKit in {configuration}", body, always=True)


def checkBehaviors(workspace, run, case):
    behaviors = Behaviors(workspace, case)
    names = [f"Behavior/{name}" for name in ORDER]
    # Each goes on where the one before ended: all or none.
    if not any(run.wants(name) for name in names):
        return
    run.filters = run.filters and run.filters + ["Behavior/"]
    status, output = behaviors.prepare()
    for name in ORDER:
        run.check(f"Behavior/{name}", lambda: (getattr(behaviors, name)() if status == 0 else ["does not build"], output))


if __name__ == "__main__":
    sys.exit(main())

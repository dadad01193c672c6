"""Holds what a case did against what its comments say, in both directions."""

import subprocess


def differences(workspace, case, runs=1):
    """Builds and, where nothing is expected to fail, runs each program that often. Returns what is not as expected; nothing
    if all is."""
    workspace.put(case)
    hasTests = any(module.isTest for module in case.modules)
    status, output = workspace.build(*(["--build-tests"] if hasTests else []))
    found = compare(case.expectations(), *workspace.diagnostics(output), case.mayStopEarly)
    mustFail = any(expected.severity.endswith("error") for expected in case.expectations())
    if mustFail and status == 0:
        found.append("the build succeeds, although errors are expected")
    if not mustFail and status != 0:
        found.append(f"the build fails with status {status}")
    if found:
        return found, output
    if mustFail:
        return [], output
    for module in case.modules:
        if module.isExecutable and module.package is None:
            found += firstDifferences(lambda: run(workspace, module), runs)
    if hasTests:
        status, printed = workspace.test()
        output += printed
        if status != 0 or "Test run with" not in printed:
            found.append("the tests do not succeed")
    return found, output


def firstDifferences(body, runs):
    """What is not as expected in the first run in which something is not."""
    for number in range(1, runs + 1):
        if found := body():
            return [*found, f"in run {number} of {runs}"] if runs > 1 else found
    return []


def compare(expectations, placed, unplaced, mayStopEarly=False):
    found, met = [], set()
    for expected in expectations:
        matches = [actual for actual in placed if expected.isMet(by=actual)]
        if matches:
            met.update(matches)
        else:
            found.append(f"missing: {expected}")
    if mayStopEarly and met:
        found = []
    for actual in placed:
        path, line, severity, message = actual
        # Notes explain; only those that a comment names have to be there.
        if severity != "note" and actual not in met:
            found.append(f"unexpected: {path}:{line}: {severity}: {message}")
    return found + [f"unexpected: {line}" for line in unplaced]


def run(workspace, module):
    program = workspace.products / module.name
    try:
        result = subprocess.run(
            [str(program)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=60)
    except subprocess.TimeoutExpired:
        return [f"{module.name} does not end within a minute"]
    expected, actual = module.prints(workspace.configuration), result.stdout.splitlines()
    found = [] if result.returncode == 0 else [f"{module.name} ends with status {result.returncode}"]
    for number in range(max(len(expected), len(actual))):
        wanted = expected[number] if number < len(expected) else None
        got = actual[number] if number < len(actual) else None
        if wanted != got:
            found.append(f"{module.name} prints in line {number + 1}:\n      {got}\n    instead of:\n      {wanted}")
    return found

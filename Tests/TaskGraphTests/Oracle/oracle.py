#!/usr/bin/env python3
"""Answers about graphs from networkx, for OracleTests.swift.

Reads a JSON file: a list of graphs {"name", "nodes", "edges": [[prerequisite, dependent], …], "priorities", "durations"}.
Adds graphs of the real world. Writes, one a graph, the graph itself and what networkx says about it.
"""

import ast
import json
import pathlib
import re
import sys
import sysconfig

try:
    import networkx
except ImportError:
    sys.exit("networkx is missing")


def debian_packages(path="/var/lib/dpkg/status"):
    """The installed packages of this machine and what each depends on: cyclic, as is well known."""
    status = pathlib.Path(path)
    if not status.exists():
        return None
    numbers, needs = {}, []
    for paragraph in status.read_text(errors="replace").split("\n\n"):
        fields = dict(re.findall(r"^([A-Za-z-]+): (.*)$", paragraph, re.MULTILINE))
        if "Package" in fields:
            number = numbers.setdefault(fields["Package"], len(numbers))
            listed = ",".join(fields.get(key, "") for key in ("Pre-Depends", "Depends"))
            needs += [(re.split(r"[ (:]", name.strip())[0], number) for name in re.split(r"[,|]", listed)]
    edges = [[numbers[name], dependent] for name, dependent in needs if name in numbers]
    return graph("Debian packages", len(numbers), edges)


def python_modules():
    """The modules of Python's standard library and what each imports."""
    root = pathlib.Path(sysconfig.get_paths()["stdlib"])
    files = sorted(p for p in root.rglob("*.py") if not {"site-packages", "dist-packages", "test"} & set(p.parts))
    numbers = {}
    for file in files:
        parts = file.relative_to(root).with_suffix("").parts
        numbers.setdefault(".".join(parts[:-1] if parts[-1] == "__init__" else parts), len(numbers))
    edges = []
    for file in files:
        parts = file.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        try:
            tree = ast.parse(file.read_text(errors="replace"))
        except SyntaxError:
            continue
        for statement in ast.walk(tree):
            if isinstance(statement, ast.Import):
                imported = [alias.name for alias in statement.names]
            elif isinstance(statement, ast.ImportFrom) and statement.level == 0:
                imported = [statement.module] + [f"{statement.module}.{alias.name}" for alias in statement.names]
            else:
                continue
            edges += [[numbers[module], numbers[name]] for module in imported if module in numbers]
    return graph("Python modules", len(numbers), edges)


def graph(name, nodes, edges):
    return {
        "name": name,
        "nodes": nodes,
        "edges": edges,
        "priorities": [(250, 500, 750, 1000)[node * 7919 % 31 % 4] for node in range(nodes)],
        "durations": [node * 104729 % 97 for node in range(nodes)],
    }


def forward_only(given):
    """The same graph without what points back, so that it can be ordered."""
    edges = [[first, second] for first, second in given["edges"] if first < second]
    return {**given, "name": given["name"] + ", forward edges", "edges": edges}


def answer(given):
    order = networkx.DiGraph()
    order.add_nodes_from(range(given["nodes"]))
    order.add_edges_from(given["edges"])
    components = list(networkx.strongly_connected_components(order))
    cyclic = [c for c in components if len(c) > 1 or order.has_edge(*(list(c) * 2))]
    result = {
        **given,
        "isAcyclic": networkx.is_directed_acyclic_graph(order),
        "components": len(components),
        "cyclicComponents": sorted(min(c) for c in cyclic),
    }
    if result["isAcyclic"]:
        # A task is as urgent as the most urgent of its descendants.
        urgency = list(given["priorities"])
        for node in reversed(list(networkx.topological_sort(order))):
            urgency[node] = max([urgency[node]] + [urgency[other] for other in order.successors(node)])
        result["effectivePriorities"] = urgency
        result["startOrder"] = list(
            networkx.lexicographical_topological_sort(order, key=lambda node: (-urgency[node], node))
        )
        result["longestChain"] = networkx.dag_longest_path_length(order) + 1 if given["nodes"] else 0
        # Durations belong to nodes, networkx weighs edges: each edge weighs what its end takes, and one edge from
        # outside leads to every node.
        weighted = networkx.DiGraph()
        weighted.add_node("outside")
        durations = given["durations"]
        weighted.add_weighted_edges_from(("outside", node, durations[node]) for node in order)
        weighted.add_weighted_edges_from((first, second, durations[second]) for first, second in order.edges)
        result["longestDuration"] = networkx.dag_longest_path_length(weighted)
    return result


def main():
    graphs = json.loads(pathlib.Path(sys.argv[1]).read_text())
    for real in (debian_packages(), python_modules()):
        if real:
            graphs += [real, forward_only(real)]
    json.dump({"version": networkx.__version__, "graphs": [answer(given) for given in graphs]}, sys.stdout)


main()

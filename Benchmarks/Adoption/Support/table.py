"""The table that the script prints."""


class Table:
    def __init__(self):
        self.rows = []
        self.misses = 0

    def add(self, what, configuration, values, result, target=None, holds=None):
        """`values`: what was measured; `holds`: whether the result meets the target, None where there is none."""
        verdict = "" if holds is None else "holds" if holds else "MISSES"
        self.misses += holds is False
        row = [what, configuration, values, result, target or "", verdict]
        print("  ".join(row), flush=True)
        self.rows.append(row)

    def text(self):
        head = ["what", "build", "measured", "result", "target", ""]
        widths = [max(len(row[column]) for row in [head, *self.rows]) for column in range(len(head))]
        lines = [head, ["-" * width for width in widths], *self.rows]
        return "\n".join("| " + " | ".join(c.ljust(w) for c, w in zip(row, widths)) + " |" for row in lines)

"""Does with huey what the benchmark tells it, line by line: for HueyEngine.swift."""

import sys
import threading
import time

from huey import SqliteHuey

# As durable as the other engines: every commit waits for the disk.
huey = SqliteHuey("benchmark", filename=sys.argv[1], fsync=True, results=False)


@huey.task()
def empty(text):
    pass


def in_turn(count, size):
    times = []
    for _ in range(count):
        start = time.monotonic_ns()
        empty("a" * size)
        times.append(time.monotonic_ns() - start)
    return times


def enqueue(callers, each, size):
    threads = [threading.Thread(target=in_turn, args=(each, size)) for _ in range(callers)]
    start = time.monotonic_ns()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [time.monotonic_ns() - start]


def work():
    # What a worker of its consumer does, without the pauses in between.
    start = time.monotonic_ns()
    while (task := huey.dequeue()) is not None:
        huey.execute(task)
    return [time.monotonic_ns() - start]


def waiting():
    return [huey.pending_count()]


commands = {"in-turn": in_turn, "enqueue": enqueue, "work": work, "waiting": waiting}
print("ready", flush=True)
for line in sys.stdin:
    name, *arguments = line.split()
    print(*commands[name](*map(int, arguments)), flush=True)

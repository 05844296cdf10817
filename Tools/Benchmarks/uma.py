"""Appends to UmaDB through its Python client; prints the events per second.

umadb.py DIRECTORY EVENTS-OF-AN-APPEND SECONDS EVENTS: starts a server with its file in the directory, on a free port of
this machine, and appends until the time or the number is reached. The events are made before: their types, tags (the
streams) and bytes have the sizes of those of the other contestants.
"""

import random
import socket
import subprocess
import sys
import time
from pathlib import Path

import umadb

PAYLOAD_BYTE_COUNT, STREAM_COUNT, POOL = 160, 1000, 16_384
KINDS = ["messageSent", "messageEdited", "reactionAdded", "readMarkerMoved"]


def events(draws):
    letters = b"the quick brown fox jumps over a lazy dog, "
    for _ in range(POOL):
        stream = int(draws.random() ** 2 * STREAM_COUNT)
        kind = KINDS[0] if draws.random() < 5 / 8 else draws.choice(KINDS)
        payload = bytes(draws.choices(letters, k=PAYLOAD_BYTE_COUNT))
        yield umadb.Event(kind, payload, tags=[f"channel/{stream}"])


def main():
    directory, count, seconds, limit = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("umadb")), "--listen", f"127.0.0.1:{port}"]
    server = subprocess.Popen(
        command + ["--db-path", directory + "/uma.db"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        client = connected(port)
        pool = list(events(random.Random(1)))
        batches = [pool[start:start + count] for start in range(0, POOL - count + 1, count)]
        done, number, start = 0, 0, time.perf_counter()
        while True:
            client.append(batches[number])
            done += count
            number = (number + 1) % len(batches)
            elapsed = time.perf_counter() - start
            if elapsed >= seconds or done >= limit:
                break
        if client.head() != done:
            sys.exit(f"UmaDB has {client.head()} of {done} events")
        print(done / elapsed)
    finally:
        server.kill()
        server.wait()


def connected(port):
    deadline = time.monotonic() + 30
    while True:
        try:
            client = umadb.Client(f"http://127.0.0.1:{port}")
            client.head()
            return client
        except Exception:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


main()

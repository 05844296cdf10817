"""Appends to a store through its Python client, and prints the events per second.

clients.py NAME DIRECTORY EVENTS-OF-AN-APPEND SECONDS EVENTS: appends to a new store in the directory until the time or
the number is reached, each append durable before the next. The events are made before: their types, streams and bytes
have the sizes of those of the other contestants. NAME is umadb, salamander-db or eventsourcing; clients.py --version NAME prints its version.
"""

import importlib.metadata
import random
import socket
import subprocess
import sys
import time
import uuid
from pathlib import Path

PAYLOAD_BYTE_COUNT, STREAM_COUNT, POOL = 160, 1000, 16_384
KINDS = ["messageSent", "messageEdited", "reactionAdded", "readMarkerMoved"]


def draws():
    """Yields the number of a stream, a type and the bytes of each event."""
    random_numbers, letters = random.Random(1), b"the quick brown fox jumps over a lazy dog, "
    for _ in range(POOL):
        stream = int(random_numbers.random() ** 2 * STREAM_COUNT)
        kind = KINDS[0] if random_numbers.random() < 5 / 8 else random_numbers.choice(KINDS)
        yield stream, kind, bytes(random_numbers.choices(letters, k=PAYLOAD_BYTE_COUNT))


class UmaDB:
    """A server in a process of its own, on a free port of this machine; streams are tags."""

    def __init__(self, directory):
        import umadb
        self.umadb = umadb
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [str(Path(sys.executable).with_name("umadb")), "--listen", f"127.0.0.1:{port}"]
        self.server = subprocess.Popen(
            command + ["--db-path", directory + "/uma.db"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while True:
            try:
                self.client = umadb.Client(f"http://127.0.0.1:{port}")
                self.client.head()
                return
            except Exception:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def events(self, batch):
        return [self.umadb.Event(kind, payload, tags=[f"channel/{stream}"]) for stream, kind, payload in batch]

    def append(self, events):
        self.client.append(events)

    def count(self):
        return self.client.head()

    def close(self):
        self.server.kill()
        self.server.wait()


class SalamanderDB:
    """In this process; the events of an append are of one stream, as it demands of a batch."""

    def __init__(self, directory):
        import salamander
        self.store = salamander.open(directory + "/salamander")

    def events(self, batch):
        events = [{"event_type": kind, "body": payload.decode()} for _, kind, payload in batch]
        return f"channel/{batch[0][0]}", events

    def append(self, events):
        self.store.append_batch(*events, durability="sync")

    def count(self):
        return self.store.durable_head()

    def close(self):
        self.store.close()


class EventSourcing:
    """The library's recorder on SQLite, in this process; versions are counted here."""

    def __init__(self, directory):
        from eventsourcing.persistence import StoredEvent
        from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore
        self.stored, self.versions = StoredEvent, {}
        self.recorder = SQLiteApplicationRecorder(SQLiteDatastore(directory + "/eventsourcing.db"))
        self.recorder.create_table()

    def events(self, batch):
        return [(uuid.uuid5(uuid.NAMESPACE_OID, str(stream)), kind, payload) for stream, kind, payload in batch]

    def append(self, events):
        rows = []
        for stream, kind, payload in events:
            self.versions[stream] = version = self.versions.get(stream, 0) + 1
            rows.append(self.stored(stream, version, kind, payload))
        self.recorder.insert_events(rows)

    def count(self):
        return self.recorder.max_notification_id()

    def close(self):
        pass


STORES = {"umadb": UmaDB, "salamander-db": SalamanderDB, "eventsourcing": EventSourcing}


def main():
    if sys.argv[1] == "--version":
        return print(importlib.metadata.version(sys.argv[2]))
    name, directory, count, seconds, limit = *sys.argv[1:3], int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])
    store = STORES[name](directory)
    try:
        pool = list(draws())
        batches = [store.events(pool[start:start + count]) for start in range(0, POOL - count + 1, count)]
        done, number, start = 0, 0, time.perf_counter()
        while True:
            store.append(batches[number])
            done += count
            number = (number + 1) % len(batches)
            elapsed = time.perf_counter() - start
            if elapsed >= seconds or done >= limit:
                break
        if store.count() != done:
            sys.exit(f"{name} has {store.count()} of {done} events")
        print(done / elapsed)
    finally:
        store.close()


main()

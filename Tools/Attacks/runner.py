# How cases are chosen, run, and summed up.

import collections
import concurrent.futures
import dataclasses
import json
import random
import shutil
import time
import traceback


@dataclasses.dataclass
class Case:
    """Something to try in a folder of its own: answers complaints (kind, text) and a note."""

    name: str
    body: object
    group: tuple


def choose(cases, sample, seed):
    """All cases, or so many of them, which the seed decides, from each group alike."""
    if sample is None or sample >= len(cases):
        return cases
    groups = collections.defaultdict(list)
    for case in cases:
        groups[case.group].append(case)
    chance, chosen = random.Random(seed), []
    for group in groups.values():
        chance.shuffle(group)
    groups = list(groups.values())
    chance.shuffle(groups)
    while len(chosen) < sample:
        for group in groups:
            if group and len(chosen) < sample:
                chosen.append(group.pop())
    return chosen


def run_all(cases, work, jobs, report):
    """Runs the cases; prints each that fails, and a table; answers whether none did."""
    start, results = time.monotonic(), []

    def run(numbered):
        number, case = numbered
        folder = work / f"case-{number}"
        folder.mkdir(mode=0o711)
        try:
            found, note = case.body(folder)
        except Exception:
            found, note = [("attack", traceback.format_exc())], ""
        finally:
            remove(folder)
        return case, found, note

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for case, found, note in pool.map(run, enumerate(cases)):
            results.append((case, found))
            if report:
                report.write(json.dumps({"case": case.name, "note": note, "found": found}) + "\n")
                report.flush()
            if found:
                print(f"✘ {case.name}" + (f" ({note})" if note else ""))
                for kind, text in found:
                    print(f"    {kind}: {text}")
                print(end="", flush=True)
    print_table(results)
    failed = sum(1 for _, found in results if found)
    print(f"{len(results)} cases, {failed} failed, {time.monotonic() - start:.0f} s")
    return failed == 0


def remove(folder):
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o711)
    shutil.rmtree(folder)


def print_table(results):
    """For each group: how many cases, how many failed, and what was wrong how often."""
    rows = collections.defaultdict(lambda: [0, 0, collections.Counter()])
    for case, found in results:
        row = rows[case.group]
        row[0] += 1
        row[1] += bool(found)
        row[2].update({kind for kind, _ in found})
    print(f"\n{'attack':34} {'cases':>6} {'failed':>6}")
    for group, (count, failed, kinds) in sorted(rows.items()):
        what = ", ".join(f"{kind} {number}" for kind, number in kinds.most_common())
        print(f"{' '.join(group):34} {count:6} {failed:6}  {what}".rstrip())

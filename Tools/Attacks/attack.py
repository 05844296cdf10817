# The driver of `Tools/attack`: reads the arguments, makes samples, runs the cases.

import argparse
import os
import pathlib
import random
import re
import resource
import shutil
import sys
import tempfile

import faults
import kills
import limits
import metas
import paths
import replaced
import runner
from program import Program
from samples import Samples

EXAMPLES = """\
examples:
  Tools/attack --quick
  Tools/attack faults --binary .build/release/verbatim --report faults.jsonl
  Tools/attack faults --only 'log append:.*meta'
  Tools/attack paths --sample 500 --seed 7
"""


def main():
    parser = argparse.ArgumentParser(
        prog="Tools/attack", epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Attacks the command verbatim with failing system calls, full disks, hostile and damaged files.")
    parser.add_argument("attack", nargs="?", default="all",
                        choices=["faults", "kills", "limits", "paths", "metas", "replaced", "all"],
                        help="faults: failing calls and full disks; kills: before a change; limits: of open files, "
                             "the size of files and addresses; paths: links, FIFOs, devices, unreadable files, "
                             "read-only directories; metas: flipped bits of LMDB's meta pages; replaced: files "
                             "that are moved or restored while a process has them open")
    parser.add_argument("--binary", help="a verbatim that is built already")
    parser.add_argument("--debug", action="store_true", help="builds and attacks the debug program")
    parser.add_argument("--jobs", type=int, default=1, help="how many cases run at once; 1 unless told")
    parser.add_argument("--quick", action="store_true", help="a few dozen cases")
    parser.add_argument("--sample", type=int, help="only so many cases, drawn from the seed")
    parser.add_argument("--seed", type=int, help="a seed printed by an earlier run")
    parser.add_argument("--only", help="only cases whose names have a match of this regular expression")
    parser.add_argument("--report", type=argparse.FileType("w"), help="a file for a line of JSON for each case")
    parser.add_argument("--list", action="store_true", help="lists the names of the cases and runs none")
    parser.add_argument("--library", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(4), "big")
    sample = options.sample if options.sample is not None else 45 if options.quick else None
    # A program that reads a device without an end is stopped by this before the machine is.
    resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    work = pathlib.Path(tempfile.mkdtemp(prefix="verbatim-attack-"))
    work.chmod(0o711)
    try:
        samples = Samples(Program(install(options.binary, work)), work / "samples")
        cases = []
        chance = random.Random(seed)

        def is_wanted(name):
            return not options.only or re.search(options.only, name)

        if options.attack in ("faults", "all"):
            if options.quick:
                cases += faults.quick_cases(samples, options.library, chance)
            else:
                cases += faults.cases(samples, options.library, work, is_wanted)
        # In the short run, the tests kill enough.
        if options.attack == "kills" or (options.attack == "all" and not options.quick):
            cases += kills.cases(samples, options.library, work, is_wanted)
        if options.attack in ("limits", "all"):
            cases += limits.cases(samples)
        if options.attack in ("paths", "all"):
            cases += paths.cases(samples)
        if options.attack in ("metas", "all"):
            cases += metas.cases(samples)
        if options.attack in ("replaced", "all"):
            cases += replaced.cases(samples)
        cases = [case for case in cases if is_wanted(case.name)]
        chosen = runner.choose(cases, sample, seed)
        if options.list:
            print("\n".join(case.name for case in chosen))
            return True
        print(f"{len(chosen)} of {len(cases)} cases, seed {seed}, {options.binary}", flush=True)
        return runner.run_all(chosen, work, options.jobs, options.report)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def install(binary, work):
    """Copies the program to a place from where every user can run it, and where no build replaces it meanwhile."""
    program = work / "program" / "verbatim"
    program.parent.mkdir(mode=0o755)
    shutil.copy(binary, program)
    program.chmod(0o755)
    return program


if __name__ == "__main__":
    sys.exit(0 if main() else 1)

#!/usr/bin/env python3
"""Principes and its peers in turn on one core: decisions a second, their quotients, peak memory. See README.md."""

import argparse
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def python(name, games):
    return [os.environ.get("PEERS_PYTHON", sys.executable), HERE / "python/play.py", name, str(games), "1"]


def node(module, games, script="boardgame.io/play.cjs"):
    return ["node", HERE / script, module, str(games), "1"]


def tag(name, games):
    home = pathlib.Path(os.environ.get("PEERS_TAG", "."))
    # One jar with all libraries in it, or classes beside their libraries: as Maven leaves them.
    places = [home / "target" / part for part in ("TAG.jar", "classes", "dependency/*")]
    program = [os.environ.get("PEERS_JAVA", "java"), "-cp", ":".join(map(str, places)), HERE / "tag/Play.java"]
    return [*program, name, str(games), "1"]


def ygopro(program, games):
    return [*program, HERE / "ygopro/deck.txt", str(games), "1"]


def ours(pack, games):
    program = os.environ.get("PRINCIPES", ROOT / "target/release/principes")
    return [program, "sim", "--pack", ROOT / pack, "--games", str(games), "--jobs", "1", "--format", "json"]


# Each contest: us, then the peers; games are chosen so that a turn takes a second or two.
CONTESTS = {
    "toy44": {
        "principes": ours("benches/peers/toy44", 300),
        "boardgame.io": node("toy44.cjs", 8),
    },
    "tic-tac-toe": {
        "principes": ours("mods/classics/tic-tac-toe", 60_000),
        "boardgame.io": node("tic-tac-toe.cjs", 1_500),
        "OpenSpiel (C++)": python("open_spiel_cpp:tic_tac_toe", 60_000),
        "OpenSpiel (from Python)": python("open_spiel:tic_tac_toe", 20_000),
        "PettingZoo": python("pettingzoo:tictactoe_v3", 1_500),
        "TAG": tag("TicTacToe", 100_000),
    },
    "connect four": {
        "principes": ours("mods/classics/connect-four", 15_000),
        "OpenSpiel (C++)": python("open_spiel_cpp:connect_four", 20_000),
        "OpenSpiel (from Python)": python("open_spiel:connect_four", 6_000),
        "PettingZoo": python("pettingzoo:connect_four_v3", 300),
        "TAG": tag("Connect4", 20_000),
    },
    # Neighbors in kind, not the same game.
    "dice race, and backgammon": {
        "principes": ours("mods/classics/dice-race", 10_000),
        "OpenSpiel (C++)": python("open_spiel_cpp:backgammon", 400),
    },
    "the base game, and others of its size": {
        "principes": ours("content/principes", 200),
        "Catanatron": python("catanatron:", 20),
        "Pokemon Showdown": node("gen9randombattle", 20, "showdown/play.cjs"),
        "TAG": tag("Catan", 100),
        "ygopro-core": ygopro([pathlib.Path(os.environ.get("PEERS_YGOPRO", ".")) / "play"], 150),
        "ygopro-core (WebAssembly)": ygopro(["node", HERE / "ygopro/play.mjs"], 60),
    },
}


def yardstick():
    """A fixed piece of work: how fast is the machine just now?"""
    begin = time.process_time()
    z = 1
    for at in range(2_000_000):
        z = (z * 0x5851F42D4C957F2D + at) & 0xFFFFFFFFFFFFFFFF
    return time.process_time() - begin


def turn(command, core):
    """One contestant once: decisions, CPU seconds, peak memory in KiB, hash of the results."""
    pin = ["taskset", "-c", str(core)] if shutil.which("taskset") else []
    read, write = os.pipe()
    # Python orders sets by seeds and addresses, which are new in each process unless it is told otherwise.
    fixed = ["setarch", "-R"] if shutil.which("setarch") else []
    settled = {**os.environ, "PYTHONHASHSEED": "0"}
    line = [*pin, *fixed, *map(str, command)]
    child = subprocess.Popen(line, stdout=write, stderr=subprocess.PIPE, cwd=ROOT, env=settled)
    os.close(write)
    with os.fdopen(read) as out:
        text = out.read()
    complaint = child.stderr.read().decode()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f"{command[0]} failed: {complaint.strip().splitlines()[-1:]}")
    report = json.loads(text.strip().splitlines()[-1] if not text.startswith("{\n") else text)
    # Peers time their games alone. We are charged for starting the program and loading the pack, too.
    seconds = report.get("cpu_seconds", usage.ru_utime + usage.ru_stime)
    return report["decisions"], seconds, usage.ru_maxrss, report.get("hash", report.get("state_hash", "")[:16])


def contest(name, contestants, rounds, core):
    figures = {who: [] for who in contestants}
    hashes, memory, missing, sticks = {}, {}, {}, []
    done = 0
    while done < rounds:
        before, results = yardstick(), {}
        for who, command in contestants.items():
            if who in missing:
                continue
            try:
                decisions, seconds, kib, digest = turn(command, core)
            except (RuntimeError, OSError, ValueError, KeyError) as error:
                missing[who] = str(error)
                continue
            if hashes.setdefault(who, digest) != digest:
                missing[who] = f"played other games this time ({digest}, {hashes[who]})"
                continue
            memory[who] = max(memory.get(who, 0), kib)
            results[who] = decisions / seconds
        if "principes" in missing:
            raise SystemExit(f"{name}: {missing['principes']}")
        after = yardstick()
        if abs(after / before - 1) > 0.10 and len(sticks) < 3 * rounds:
            sticks.append(None)
            print(f"  {name}: the machine was not steady, round again", file=sys.stderr)
            continue
        sticks.append((before + after) / 2)
        done += 1
        for who, speed in results.items():
            figures[who].append(speed)
        print(f"  {name}: round {done} of {rounds}", file=sys.stderr)
    report = {}
    for who, speeds in figures.items():
        if who in missing:
            report[who] = {"missing": missing[who]}
            continue
        ratios = [us / them for us, them in zip(figures["principes"], speeds)]
        report[who] = {
            "decisions_per_second": round(statistics.median(speeds)),
            "times_slower_than_principes": [round(f(ratios), 2) for f in (min, statistics.median, max)],
            "peak_mib": round(memory[who] / 1024, 1),
            "hash": hashes[who],
        }
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--core", type=int, default=0, help="on which core everybody runs")
    parser.add_argument("--only", action="append", default=[], help="contests whose name has this text")
    args = parser.parse_args()
    report = {"machine": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores", "contests": {}}
    for name, contestants in CONTESTS.items():
        if not args.only or any(text in name for text in args.only):
            report["contests"][name] = contest(name, contestants, args.rounds, args.core)
    print(json.dumps(report, indent=2))


main()

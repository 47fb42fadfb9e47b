#!/usr/bin/env python3
"""CPU time of checking a thousand JSON files and 150 scripts again, in a process that has checked them before.

    benches/check.py [--program target/release/principes] [--rounds 20]

Writes a game of that size into a temporary folder, lets `check --watch` watch it, and edits one file per round: a
sentence, a number of a card, a script. Told is the CPU time, of all threads, that the process takes for a round.
"""

import argparse
import json
import os
import subprocess
import tempfile
import threading
import time
from pathlib import Path

SCRIPTS = 150
CARDS = 500
SPACES = 250
SCRIPT = """local M = {{}}

local function worth(seat, amount)
  if get(counter.gold, seat) > 10 then
    return amount
  end
  return 2 * amount
end

function M.play(self, seat)
  local gained = worth(seat, self.gold)
  for _, space in ipairs(spaces()) do
    if prop(space, "worth") > {at} then
      gained = gained + 1
    end
  end
  add(counter.gold, gained, seat)
  log("gained", seat, gained)
end

return M
"""


def write(root: Path, path: str, content) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content, indent=2))


def game(root: Path) -> None:
    """A game of 1,000 JSON files and 150 scripts."""
    seats = {"min": 1, "max": 1}
    write(root, "pack.json", {
        "format": 1, "api": 1, "id": "many", "version": "1.0.0", "title": "Many", "kind": "game", "seats": seats,
        "languages": ["en"],
    })
    write(root, "factions.json", {"factions": [{"id": "red", "playable": True, "group": "power", "color": "red"}]})
    write(root, "counters.json", {"counters": [{"id": "gold", "scope": "faction"}]})
    worth = {"id": "land.worth", "of": "spaces", "type": "number", "doc": "What it is worth."}
    write(root, "props.json", {"props": [worth]})
    write(root, "zones.json", {"zones": [{"id": "deck", "scope": "game"}]})
    write(root, "points.json", {"points": [{"id": "card.play", "kind": "effect", "args": ["seat"], "doc": "Played."}]})
    write(root, "phases.json", {"phases": [{"id": "setup", "run": "flow.setup"}]})
    write(root, "scripts/flow.lua", "local M = {}\n\nfunction M.setup()\n"
          "  for _, seat in ipairs(seats()) do\n    trigger(\"card.play\", seat)\n  end\nend\n\nreturn M\n")
    for at in range(SPACES):
        near = [f"s-{other % SPACES}" for other in (at - 1, at + 1)]
        write(root, f"map/s-{at}.json", {"spaces": [
            {"id": f"s-{at}", "kind": "land", "at": [at, 0], "adjacent": near, "props": {"worth": at}}]})
    for at in range(CARDS):
        card = {"id": f"c-{at}", "type": "event", "zone": "deck", "params": {"gold": 1 + at % 5}}
        card["hooks"] = {"card.play": f"cards.c-{at % (SCRIPTS - 1)}.play".replace("cards.", "cards/")}
        write(root, f"cards/c-{at}.json", {"cards": [card]})
    for at in range(SCRIPTS - 1):
        write(root, f"scripts/cards/c-{at}.lua", SCRIPT.format(at=at))
    common = {"faction.red": "Red", "counter.gold": "Gold", "zone.deck": "Deck", "phase.setup": "Setup",
              "type.event": "Event", "log.gained": "{1} gains {2}.", "pack.title": "Many", "prop.land.worth": "Worth"}
    write(root, "locale/en/common.json", {"messages": common})
    left = 1000 - sum(1 for _ in root.rglob("*.json"))
    for at in range(left):
        texts = {f"space.s-{space}": f"Space {space}" for space in range(at, SPACES, left)}
        for card in range(at, CARDS, left):
            texts |= {f"card.c-{card}.title": f"Card {card}", f"card.c-{card}.text": "Gain {gold}."}
        write(root, f"locale/en/l-{at}.json", {"messages": texts})


def cpu(process: subprocess.Popen) -> float:
    """Seconds of CPU that a process has taken."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/principes", type=Path)
    parser.add_argument("--rounds", default=20, type=int)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "many"
        game(root)
        print(f"{sum(1 for _ in root.rglob('*.json'))} JSON files, {sum(1 for _ in root.rglob('*.lua'))} scripts")
        command = [args.program.resolve(), "check", root, "--until", "scripts", "--watch"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        done = threading.Semaphore(0)

        def hear() -> None:
            for line in process.stderr:
                if "waiting" in line and " 0 errors" in line:
                    done.release()

        def wait() -> None:
            if not done.acquire(timeout=30):
                process.kill()
                raise SystemExit("the game has errors, or its check takes too long")

        threading.Thread(target=hear, daemon=True).start()
        wait()
        print(f"first check: {1000 * cpu(process):.0f} ms of CPU, starting included")
        # A file that has just been written is read again at every check, and these were.
        time.sleep(3)
        (root / "counters.json").touch()
        wait()
        edits = [
            ("a sentence", "locale/en/l-0.json", lambda text, at: text.replace("Gain ", f"Gain {at} times ", 1)),
            ("a number of a card", "cards/c-7.json", lambda text, at: text.replace('"gold": 3', f'"gold": {at + 10}')),
            ("a script", "scripts/cards/c-7.lua", lambda text, at: text.replace("> 10", f"> {at + 20}")),
        ]
        for what, path, edit in edits:
            text = (root / path).read_text()
            before = cpu(process)
            for at in range(args.rounds):
                edited = edit(text, at)
                assert edited != text, path
                (root / path).write_text(edited)
                wait()
            print(f"{what}: {1000 * (cpu(process) - before) / args.rounds:.1f} ms of CPU a round")
        process.terminate()


if __name__ == "__main__":
    main()

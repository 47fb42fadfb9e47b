"""Asks an independent Lua language server what it thinks of all packs with the type stubs that `principes schema --vscode`
writes beside them. Prints the figures; fails where it sees an error, and where it sees none without the stubs."""

import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRINCIPES, EMMYLUA_CHECK = sys.argv[1:3]
SEVERITIES = {1: "errors", 2: "warnings", 3: "infos", 4: "hints"}


def judge(folder):
    """The diagnostics of a folder, by severity, and those that are errors in words."""
    run = subprocess.run([EMMYLUA_CHECK, "-f", "json", folder], capture_output=True, text=True)
    counts, errors = collections.Counter(), []
    for file in json.loads(run.stdout or "[]"):
        for told in file["diagnostics"]:
            counts[SEVERITIES[told["severity"]]] += 1
            if told["severity"] == 1:
                errors.append(f"{file['file']}:{told['range']['start']['line'] + 1}: {told['message']}")
    return counts, errors


def main():
    packs = sorted(path.parent for place in ["content", "mods"] for path in (ROOT / place).glob("**/pack.json"))
    packs = [pack for pack in packs if any(pack.glob("scripts/**/*.lua"))]
    with tempfile.TemporaryDirectory() as work:
        total, without, wrong = collections.Counter(), 0, []
        for pack in packs:
            copy = pathlib.Path(work) / pack.relative_to(ROOT)
            shutil.copytree(pack, copy)
            without += judge(copy)[0]["errors"]
            subprocess.run([ROOT / PRINCIPES, "schema", "--vscode", copy], cwd=ROOT, check=True, capture_output=True)
            counts, errors = judge(copy)
            total += counts
            wrong += errors
    figures = ", ".join(f"{total[name]} {name}" for name in SEVERITIES.values())
    print(f"stubs: {len(packs)} packs with scripts: {figures}; {without} errors without the stubs")
    for error in wrong:
        print(error)
    if wrong or not packs or not without:
        sys.exit(1)


main()

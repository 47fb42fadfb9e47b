"""Compares three judges of content files: `principes check --until schema`, ajv and check-jsonschema; and validates the
JUnit report against the schema of Jenkins. Prints the figures; fails where they disagree."""

import copy
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from lxml import etree

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRINCIPES, CHECK_JSONSCHEMA = sys.argv[1:3]
SCHEMAS = ROOT / "schemas/json"
FAMILIES = {path.name.removesuffix(".schema.json") for path in SCHEMAS.glob("*.schema.json")} - {"pack"}
MUTANTS = 4
PLACES = ["content/principes", "mods", "tests/planted", "target/tmp/hostile", "templates"]


def schema_of(path):
    """The schema that a file is for; nothing where it is no JSON or has not exactly one family."""
    try:
        value = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        return None
    if path.name == "pack.json":
        return "pack"
    keys = FAMILIES & value.keys() if isinstance(value, dict) else set()
    return keys.pop() if len(keys) == 1 else None


def run(*args, text=None):
    return subprocess.run(args, input=text, capture_output=True, text=True, cwd=ROOT)


def compare(what, files):
    """How many files the three judge differently."""
    packs = {}
    for file in files:
        pack = next((p for p in pathlib.Path(file).parents if (ROOT / p / "pack.json").is_file()), None)
        packs.setdefault(str(pack), []).append(file)
    # Codes of the schema stage. That a manifest asks for another program is said instead of judging it.
    ours = {file: True for file in files}
    unjudged = set()
    for pack, list_ in packs.items():
        report = json.loads(run(PRINCIPES, "check", pack, "--until", "schema", "--format", "json").stdout)
        for finding in report["findings"]:
            # What is no JSON to us may be some to Python: a number beyond every number.
            if (finding["code"].startswith("P01") or finding["code"] == "P0005") and finding["file"] in ours:
                ours[finding["file"]] = False
            if finding["file"] == f"{pack}/pack.json" and finding["severity"] == "error":
                # Without its manifest a pack's other files are not looked at.
                unjudged.update(file for file in list_ if ours[file])
            # check-jsonschema refuses byte order marks, which are a warning to us.
            if finding["code"] in ("P0001", "P0002", "P0003", "P0004", "P0011"):
                unjudged.add(finding["file"])
    unjudged &= {file for file, good in ours.items() if good}
    judged = {file: schema for file, schema in files.items() if file not in unjudged}
    lines = "".join(f"{schema}\t{file}\n" for file, schema in judged.items())
    ajv = run("node", str(ROOT / "tests/independent/ajv.cjs"), str(SCHEMAS), text=lines)
    if ajv.returncode:
        sys.exit(ajv.stderr)
    theirs = {line.split("\t")[0]: line.split("\t") for line in ajv.stdout.splitlines()}
    others = {}
    for schema in sorted(set(judged.values())):
        list_ = [file for file, name in judged.items() if name == schema]
        report = json.loads(
            run(CHECK_JSONSCHEMA, "--schemafile", str(SCHEMAS / f"{schema}.schema.json"), "-o", "json", *list_).stdout
        )
        refused = {error["filename"] for error in report["errors"] + report.get("parse_errors", [])}
        others.update({file: file not in refused for file in list_})
    wrong = 0
    for file in judged:
        verdicts = (ours[file], theirs[file][1] == "yes", others[file])
        if len(set(verdicts)) > 1:
            wrong += 1
            print(f"{file}: principes {verdicts[0]}, ajv {verdicts[1]}, check-jsonschema {verdicts[2]}: {theirs[file][2]}")
    good = sum(ours[file] for file in judged)
    print(f"{what}: {len(judged)} files, {good} accepted, {len(judged) - good} refused, {wrong} disagreements; "
          f"{len(unjudged)} left out because their pack or file cannot be read at all")
    return wrong


def mutants(files, folder):
    """Files of one pack in `folder`, each a content file with one thing changed."""
    chance = random.Random(1)
    wrong = ["x", "Not An Id", "", -1, 0, 70000, 1.5, None, True, [], {}, ["x"], {"x": 1}]
    (folder / "pack.json").write_text((ROOT / "content/src/explain/base/pack.json").read_text())
    made = {}
    for file, schema in files.items():
        value = json.loads((ROOT / file).read_bytes().decode("utf-8-sig"))
        places = []

        def visit(inner):
            for key in inner if isinstance(inner, dict) else range(len(inner)):
                places.append((inner, key))
                if isinstance(inner[key], (dict, list)):
                    visit(inner[key])

        for _ in range(MUTANTS):
            whole = copy.deepcopy(value)
            places.clear()
            visit(whole)
            inner, key = chance.choice(places)
            deed = chance.choice(["take", "name", "value", "value"])
            if deed == "take":
                del inner[key]
            elif deed == "name" and isinstance(inner, dict):
                inner[f"{key}x"] = inner.pop(key)
            else:
                inner[key] = copy.deepcopy(chance.choice(wrong))
            name = f"{schema}-{len(made)}.json"
            (folder / name).write_text(json.dumps(whole, ensure_ascii=False))
            # Without its one family key nobody knows which schema a file is for.
            if schema_of(folder / name) == schema:
                made[str(folder / name)] = schema
            else:
                (folder / name).unlink()
    return made


def broken_packs(folder):
    """The broken packs, each the files of its base and those in which it differs."""
    for base, source, parts in (
        ("tests/broken/base", "tests/broken", ["."]),
        ("content/src/explain/base", "content/src/explain", ["both", "broken"]),
    ):
        for code in sorted((ROOT / source).glob("P*")):
            pack = folder / f"{code.name}-{pathlib.Path(source).name}"
            shutil.copytree(ROOT / base, pack)
            for part in parts:
                if (code / part).is_dir():
                    shutil.copytree(code / part, pack, dirs_exist_ok=True)
            for extension in ("more", "other"):
                if (pack / extension).is_dir() and not (pack / extension / "pack.json").is_file():
                    shutil.copy(ROOT / "content/src/explain" / extension / "pack.json", pack / extension)
            yield pack


def main():
    with tempfile.TemporaryDirectory() as folder:
        broken = list(broken_packs(pathlib.Path(folder)))
        judge([ROOT / place for place in PLACES] + broken, [str(pack) for pack in broken])


def judge(places, broken):
    files = {}
    for place in places:
        for path in sorted(place.rglob("*.json")):
            inside = any((parent / "pack.json").is_file() for parent in path.parents)
            schema = schema_of(path) if inside and path.is_file() and not path.is_symlink() else None
            if schema and path.stat().st_size < 1 << 20:
                files[str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)] = schema
    wrong = compare("content and broken packs", files)
    with tempfile.TemporaryDirectory() as folder:
        sound = {file: schema for file, schema in files.items() if schema != "pack" and not file.startswith(("tests/", "/"))}
        wrong += compare("mutants", mutants(sound, pathlib.Path(folder)))
    xsd = etree.XMLSchema(etree.parse(str(ROOT / "tests/schemas/junit-10.xsd")))
    report = etree.fromstring(run(PRINCIPES, "check", *broken, "--format", "junit").stdout.encode())
    valid = xsd.validate(report)
    print(f"JUnit: {'valid' if valid else xsd.error_log}")
    sys.exit(bool(wrong) or not valid)


main()

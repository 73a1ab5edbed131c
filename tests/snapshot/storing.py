"""Answers in a folder: a line of JSON for each, and every body once, named by its digest."""

import hashlib
import json
import re
import shutil
from pathlib import Path

ANSWERS, BODIES = "answers.jsonl", "bodies"
ROWS, NOW = "rows.sqlite3", "now.txt"  # the database that is asked about, and the time in it


def write(folder, answers):
    """Write all answers; `body` of each is text."""
    bodies = Path(folder, BODIES)
    bodies.mkdir(exist_ok=True)
    with Path(folder, ANSWERS).open("w", encoding="utf-8") as file:
        for answer in answers:
            name = hashlib.sha256(answer["body"].encode()).hexdigest()[:20]
            (bodies / name).write_text(answer["body"], encoding="utf-8")
            file.write(json.dumps({**answer, "body": name}, ensure_ascii=False) + "\n")


def gather(folder, parts):
    """Put the answers of several folders into one."""
    for part in parts:
        shutil.copytree(Path(part, BODIES), Path(folder, BODIES), dirs_exist_ok=True)
    texts = [Path(part, ANSWERS).read_text(encoding="utf-8") for part in parts]
    Path(folder, ANSWERS).write_text("".join(texts), encoding="utf-8")


def read(folder, only=""):
    """Return the answers whose keys match, by key; `body` is the name of its file."""
    lines = Path(folder, ANSWERS).read_text(encoding="utf-8").splitlines()
    answers = [json.loads(line) for line in lines]
    return {each["key"]: each for each in answers if re.search(only, each["key"])}


def body(folder, answer):
    """Return the lines of the body of an answer that was read."""
    return Path(folder, BODIES, answer["body"]).read_text(encoding="utf-8").splitlines()

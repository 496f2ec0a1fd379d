"""The bytes of the protocol, as they stand in vectors.json, at both ends: CPython and MicroPython."""

from __future__ import annotations

import json
from pathlib import Path

from tests.pico.programs import output_of
from tests.pico.samples import complaints

HERE = Path(__file__).parent
VECTORS = (HERE / "vectors.json").read_text(encoding="utf-8")


def test_host_writes_and_reads_the_vectors() -> None:
    assert complaints(json.loads(VECTORS)) == []


def test_vector_of_another_message_is_complained_about() -> None:
    vectors = json.loads(VECTORS)
    vectors[0]["frame"] = vectors[1]["frame"]
    assert complaints(vectors) == ["hello is written otherwise"]


def test_micropython_writes_and_reads_the_vectors() -> None:
    program = "import json\nfrom samples import complaints\nprint(complaints(json.load(open('vectors.json'))))"
    samples = (HERE / "samples.py").read_text(encoding="utf-8")
    assert output_of(program, {"vectors.json": VECTORS, "samples.py": samples}).strip() == "[]"

"""The texts that forged sentences are put into: titles, names, addresses, parts and references of JATS articles. Pure."""

import os
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SAMPLES = Path(__file__).parent.parent.parent / "samples"
PARTS = {"methods": r"method|material|patient|subject|design", "results": r"result|finding", "discussion": r"discuss"}
PARAGRAPH = 200
KEPT = 6


@dataclass(frozen=True)
class Text:
    """What is kept of an article, part by part."""

    name: str
    title: str
    names: str
    addresses: tuple[str, ...]
    abstract: str
    parts: dict[str, tuple[str, ...]]
    references: tuple[str, ...]


@cache
def texts() -> tuple[Text, ...]:
    """The samples, and where DATA names a folder its articles."""
    folders = [SAMPLES, *([Path(os.environ["DATA"]) / "rct_jats" / "nxml"] if os.environ.get("DATA") else [])]
    read = [_read(path) for folder in folders for path in sorted(folder.glob("*.nxml"))]
    named = {text.name: text for text in read}
    return tuple(named[name] for name in sorted(named) if named[name].parts["methods"])


def _read(path: Path) -> Text:
    root = ET.parse(path).getroot()  # noqa: S314 - files of ours
    sections = {part: tuple(_paragraphs(root, named)) for part, named in PARTS.items()}
    names = [f"{_said(each.find('given-names'))} {_said(each.find('surname'))}" for each in root.iter("name")]
    references = [_spaced(each) for each in root.iter("ref")]
    abstract = " ".join(_said(each) for part in root.findall(".//abstract")[:1] for each in part.iter("p"))
    addresses = tuple(_spaced(each) for each in root.iter("aff"))
    title = _said(root.find(".//article-title"))
    return Text(path.stem, title, ", ".join(names[:6]), addresses[:4], abstract, sections, tuple(references))


def _paragraphs(root: ET.Element, named: str) -> list[str]:
    sections = [each for each in root.findall("./body/sec") if re.search(named, each.findtext("title") or "", re.I)]
    told = [_said(each) for section in sections for each in section.iter("p")]
    return [each for each in told if len(each) > PARAGRAPH][:KEPT]


def _said(element: ET.Element | None) -> str:
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def _spaced(element: ET.Element) -> str:
    """Parts that stand side by side without a space between."""
    return " ".join(" ".join(element.itertext()).split())

"""Put papers into a project's library, here or on AWS, until the library can be filled over HTTP.

On AWS: `PYTHONPATH=layers/sheaf python -m local.papers --stack sheaf --project demo papers/*.txt`, with the rights of
whoever runs it; the names of table and bucket are the stack's outputs. `sheaf` is the package in layers/sheaf.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import boto3

from local.aws import DIRECT, session
from sheaf import library, wiring
from sheaf.settings import LibrarySettings

KNOWLEDGE_BASE = "samples"


def load_papers(
    files: Iterable[Path],
    *,
    project: str,
    outputs: Mapping[str, str],
    client: Callable[[str], Any],
    knowledge_base: str,
) -> list[str]:
    """The ids of these papers' documents, in the same order. The same bytes are the same document."""
    names = LibrarySettings(library_table=outputs["LibraryTable"], data_bucket=outputs["DataBucket"])
    world = replace(wiring.real(names), client=client)
    return [
        library.add_document(
            world, project=project, knowledge_base=knowledge_base, filename=file.name, content=file.read_bytes()
        )
        for file in files
    ]


def load_samples(files: Iterable[Path], *, project: str, outputs: Mapping[str, str], endpoint: str) -> list[str]:
    """`load_papers` into the emulator."""
    return load_papers(
        files,
        project=project,
        outputs=outputs,
        client=lambda service: session().client(service, endpoint_url=endpoint, config=DIRECT),  # type: ignore[call-overload]
        knowledge_base=KNOWLEDGE_BASE,
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m local.papers", description=__doc__)
    parser.add_argument("--stack", required=True, help="name of the deployed stack")
    parser.add_argument("--project", required=True, help="project id, a group of the stack's user pool")
    parser.add_argument("--knowledge-base", default=KNOWLEDGE_BASE, help="where the papers go (default: %(default)s)")
    parser.add_argument("files", nargs="+", type=Path, help="plain-text papers, UTF-8")
    asked = parser.parse_args()
    described = boto3.client("cloudformation").describe_stacks(StackName=asked.stack)["Stacks"][0]
    outputs = {output["OutputKey"]: output["OutputValue"] for output in described.get("Outputs", [])}
    documents = load_papers(
        asked.files,
        project=asked.project,
        outputs=outputs,
        client=wiring.client,
        knowledge_base=asked.knowledge_base,
    )
    for document, file in zip(documents, asked.files, strict=True):
        sys.stdout.write(f"{document}  {file.name}\n")


if __name__ == "__main__":
    main()

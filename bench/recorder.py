"""A proxy between one function and the emulator that writes down every request: which call, how long, what came back.

    python -m bench.recorder EMULATOR_PORT FILE

Prints the port that it listens on. A bench points a function here with the function's own AWS_ENDPOINT_URL, so that
neither the product nor the emulator knows of it. One JSON line a request.
"""

import asyncio
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

HOST = "127.0.0.1"
CONTINUE = 100
LIMIT = 1 << 20


@dataclass(frozen=True)
class Head:
    """First line and header lines of a request or an answer."""

    raw: bytes
    line: str
    headers: dict[str, str]

    @property
    def is_chunked(self) -> bool:
        return "chunked" in self.headers.get("transfer-encoding", "")

    @property
    def status(self) -> int:
        return int(self.line.split(" ")[1])


async def _head(reader: asyncio.StreamReader) -> Head:
    raw = await reader.readuntil(b"\r\n\r\n")
    first, *rest = raw.decode("latin-1").strip().split("\r\n")
    pairs = (line.partition(":") for line in rest)
    return Head(raw, first, {name.lower(): value.strip() for name, _, value in pairs})


async def _body(
    head: Head, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, empty: bool = False
) -> bytes:
    """Pass a body on as it is; gives its bytes."""
    if empty:
        return b""
    if not head.is_chunked:
        whole = await reader.readexactly(int(head.headers.get("content-length", 0)))
        writer.write(whole)
        await writer.drain()
        return whole
    parts = []
    size = -1
    while size:
        line = await reader.readuntil(b"\r\n")
        size = int(line.split(b";")[0], 16)
        part = await reader.readexactly(size + 2) if size else await _trailer(reader)
        writer.write(line + part)
        parts.append(part[:-2] if size else b"")
    await writer.drain()
    return b"".join(parts)


async def _trailer(reader: asyncio.StreamReader) -> bytes:
    lines: list[bytes] = []
    while not lines or lines[-1] != b"\r\n":
        lines.append(await reader.readuntil(b"\r\n"))
    return b"".join(lines)


class Recorder:
    def __init__(self, port: int, file: TextIO) -> None:
        self.port = port
        self.file = file

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of the function's, with one of ours beside it."""
        above, upward = await asyncio.open_connection(HOST, self.port, limit=LIMIT)
        try:
            while True:
                await self._exchange(reader, writer, above, upward)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            upward.close()
            writer.close()

    async def _exchange(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        above: asyncio.StreamReader,
        upward: asyncio.StreamWriter,
    ) -> None:
        asked = await _head(reader)
        started, clock = time.perf_counter(), time.time()
        upward.write(asked.raw)
        # Beside the answer, because S3's clients wait for a "100 Continue" before they send a body.
        sending = asyncio.create_task(_body(asked, reader, upward))
        answer = await _head(above)
        while answer.status == CONTINUE:
            writer.write(answer.raw)
            answer = await _head(above)
        writer.write(answer.raw)
        told = await _body(answer, above, writer, empty=asked.line.startswith("HEAD"))
        await writer.drain()
        line = self._read(asked, await sending) | {"at": clock, "seconds": time.perf_counter() - started}
        self._note(line | {"status": answer.status}, told)

    @staticmethod
    def _read(asked: Head, sent: bytes) -> dict[str, Any]:
        """Which call of which service this is."""
        scope = asked.headers.get("authorization", "").partition("Credential=")[2].split("/")
        service = scope[3] if len(scope) > 3 else ""  # noqa: PLR2004 - key/date/region/service
        target = asked.headers.get("x-amz-target", "").rpartition(".")[2]
        operation = target or asked.line.rpartition(" ")[0].partition("?")[0]
        kept = {"request": sent.decode()} if service == "dynamodb" else {}
        return {"service": service, "operation": operation, **kept}

    def _note(self, line: dict[str, Any], told: bytes) -> None:
        kept = {"reply": told.decode()} if line["service"] == "dynamodb" else {}
        self.file.write(json.dumps(line | kept) + "\n")
        self.file.flush()


async def main(port: int, path: Path) -> None:
    with path.open("a") as file:
        server = await asyncio.start_server(Recorder(port, file).serve, HOST, 0, limit=LIMIT)
        print(server.sockets[0].getsockname()[1], flush=True)
        async with server:
            await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), Path(sys.argv[2])))

"""Check the page against the API's own description, each path, parameter and field: `python -m tests.support.page_types`."""

import json

import api  # noqa: F401 - makes the routes
import openapi
from local import command, web


def main() -> None:
    web.install(command.say)
    made, modules = web.WEB / "made", web.WEB / "node_modules"
    made.mkdir(exist_ok=True)
    # What GET /api/v1/openapi.json answers, without a server.
    (made / "openapi.json").write_text(json.dumps(openapi.document(), indent=1))
    web.node(modules / "openapi-typescript" / "bin" / "cli.js", "made/openapi.json", "-o", "made/api.d.ts")
    web.node(modules / "typescript" / "bin" / "tsc")


if __name__ == "__main__":
    command.end(main)

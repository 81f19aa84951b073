"""Runs Pulumi programs with an engine that answers every request, and prints what they asked for, as JSON."""

import json
import os
import runpy
import sys
import tempfile
from pathlib import Path

import pulumi
from pulumi.runtime.stack import run_pulumi_func
from pulumi.runtime.sync_await import _sync_await

CONFIG = {
    "project:databaseUrl": "postgres://db",
    "project:secondToken": "a-token",
    "project:secrets": '{"DATABASE_URL": "postgres://db"}',
}
ENVIRONMENT = {"id": "11111111-1111-4111-8111-111111111142", "name": "shop", "url": "https://shop.example"}
ANSWERS = {
    "previewenv:index:getEnvironments": {"environments": [ENVIRONMENT]},
    "previewenv:index:variablesFromDotenv": {"variables": {"API_TOKEN": "demo"}},
}

asked = []


class Engine(pulumi.runtime.Mocks):
    def new_resource(self, args):
        asked.append({"token": args.typ, "inputs": args.inputs})
        return [args.name, {**args.inputs, "revision": "1", "url": ENVIRONMENT["url"]}]

    def call(self, args):
        asked.append({"token": args.token, "inputs": args.args})
        return ANSWERS.get(args.token, ENVIRONMENT)


# examples/snippets/variables-from-dotenv reads a file of its folder.
os.chdir(tempfile.mkdtemp())
Path("shop.env").write_text("API_TOKEN=demo\n", encoding="utf-8")
for program in sys.argv[1:]:
    pulumi.runtime.set_mocks(Engine(), project="project")
    pulumi.runtime.set_all_config(CONFIG)

    async def run(path=program):
        runpy.run_path(path, run_name="__main__")

    _sync_await(run_pulumi_func(run))

print(json.dumps(asked))

import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { ReadResourceRequest, RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { expect } from "chai";
import * as dynamic from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { endStage, type Stage, startStage } from "./stage";

const stacks: { prepareStackTrace?: ((error: Error, frames: NodeJS.CallSite[]) => unknown) | undefined } = Error;
const environmentId = "11111111-1111-4111-8111-111111111142";
const VARIABLE = { environmentId, name: "A", value: "1" };

/** As source-map-support does it: only the text says other lines than V8. */
function format(error: Error, frames: readonly NodeJS.CallSite[]): string {
  const lines = frames.map((frame) => {
    const place = `${frame.getFileName()}:${(frame.getLineNumber() ?? 0) + 1000}:${frame.getColumnNumber()}`;
    return `    at ${frame.getFunctionName() ?? "Object.<anonymous>"} (${place})`;
  });
  return [String(error), ...lines].join("\n");
}

/** Where the engine is told that a resource is. */
function placeIn(request: RegisterResourceRequest | ReadResourceRequest): { uri: string; line: number } {
  const place = request.getSourceposition();
  expect(request.getStacktrace()?.getFramesList()[0]?.getPc()?.toObject()).to.deep.equal(place?.toObject());
  return { uri: place?.getUri() ?? "", line: place?.getLine() ?? 0 };
}

/** The line that calls it. */
function line(): number {
  const [, , caller = ""] = new Error("line").stack?.split("\n") ?? [];
  return Number(/:(\d+):\d+\)$/u.exec(caller)?.[1]);
}

describe("the place of a resource in the program", () => {
  const before = stacks.prepareStackTrace;
  beforeEach(() => (stacks.prepareStackTrace = format));
  afterEach(() => {
    stacks.prepareStackTrace = before;
    endStage();
  });

  /** Where the engine is told that it is. */
  async function placeOf(stage: Stage, name: string): Promise<{ uri: string; line: number }> {
    for (;;) {
      const requests = [...stage.looked, ...stage.registered.map(({ request }) => request)];
      const request = requests.find((candidate) => candidate.getName() === name);
      if (request !== undefined) return placeIn(request);
      await setImmediate();
    }
  }

  const declared: Readonly<Record<string, () => readonly [unknown, number]>> = {
    vars: () => [new dynamic.EnvVarSet("vars", { environmentId, variables: { B: "1" } }), line()],
    "native-vars": () => [new native.EnvVarSet("native-vars", { environmentId, variables: { C: "1" } }), line()],
    variable: () => [new dynamic.EnvVar("variable", VARIABLE), line()],
    "native-variable": () => [new native.EnvVar("native-variable", VARIABLE), line()],
    looked: () => [dynamic.EnvVar.get("looked", `${environmentId}/A`), line()],
    "native-looked": () => [native.EnvVar.get("native-looked", `${environmentId}/A`), line()],
    second: () => [new dynamic.Provider("second", { apiToken: "token" }), line()],
    "native-second": () => [new native.Provider("native-second", { apiToken: "token" }), line()],
  };
  for (const [name, declare] of Object.entries(declared))
    it(`is the line that declares it: ${name}`, async () => {
      const stage = await startStage();
      const [, expected] = declare();

      expect(await placeOf(stage, name)).to.deep.equal({ uri: pathToFileURL(__filename).href, line: expected });
    });

  it("is in the class of the program that declares it, also when that has the name of the resource's class", async () => {
    class EnvVar {
      readonly declared = [new dynamic.EnvVar("wrapped", VARIABLE), line()] as const;
    }
    const stage = await startStage();
    const [, expected] = new EnvVar().declared;

    expect(await placeOf(stage, "wrapped")).to.deep.equal({ uri: pathToFileURL(__filename).href, line: expected });
  });

  it("is the line that declares it when a class of the program extends ours", async () => {
    class Level extends dynamic.EnvVar {
      constructor(name: string) {
        super(name, VARIABLE);
      }
    }
    const stage = await startStage();
    const [, expected] = [new Level("level"), line()];

    expect(await placeOf(stage, "level")).to.deep.equal({ uri: pathToFileURL(__filename).href, line: expected });
  });
});

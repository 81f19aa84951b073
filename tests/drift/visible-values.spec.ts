import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { collect } from "../../provider/src/drift/collect";

const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "[secret]" };
const UPDATE = { diffKind: "update", inputDiff: true };

interface State {
  readonly inputs?: object;
  readonly outputs: object;
}

/** The event of a resource of the environment `e` that a refresh found changed. */
function found(type: string, before: State, after: State, paths: readonly string[], op = "update"): unknown {
  const [old, now] = [before, after].map(({ inputs = {}, outputs }) => ({
    inputs,
    outputs: { environmentId: "e", ...outputs },
  }));
  const urn = `urn:pulumi:dev::project::previewenv:index:${type}::${type}`;
  const detailedDiff = Object.fromEntries(paths.map((path) => [path, UPDATE]));
  return { resOutputsEvent: { metadata: { op, urn, type: `previewenv:index:${type}`, old, new: now, detailedDiff } } };
}

const set = (before: State, after: State, ...paths: readonly string[]): unknown =>
  found("EnvVarSet", before, after, paths);
const plain = (value: string, more: object = {}): State => ({ outputs: { variables: { A: value }, ...more } });
/** What the report shows of values, for each name. */
const shown = (...events: readonly unknown[]): Record<string, readonly (string | undefined)[]> =>
  Object.fromEntries(
    collect(events, { showVisibleValues: true }).map(({ name = "", oldValue, newValue }) => [
      name,
      [oldValue, newValue],
    ]),
  );
const NOTHING = { A: [undefined, undefined] };

describe("drift: --show-visible-values", () => {
  it("shows old and new values of visible variables, of a set and of a single one", () => {
    expect(shown(set(plain("info"), plain("debug"), "variables.A"))).to.deep.equal({ A: ["info", "debug"] });
    const single = (value: string): State => ({ outputs: { name: "ONE", hidden: false, value } });
    expect(shown(found("EnvVar", single("1"), single("2"), ["value"]))).to.deep.equal({ ONE: ["1", "2"] });
    expect(shown(found("EnvVar", single("1"), { outputs: {} }, [], "delete"))).to.deep.equal({ ONE: ["1", undefined] });
  });

  it("shows nothing when it is not asked to", () => {
    const events = [set(plain("info"), plain("debug"), "variables.A")];
    const [item] = collect(events, { showVisibleValues: false });
    expect(item).to.include({ name: "A" }).and.not.have.any.keys("oldValue", "newValue");
  });

  it("shows no value of more than 200 characters, and the other one neither", () => {
    expect(shown(set(plain("x".repeat(200)), plain("y"), "variables.A"))).to.deep.equal({ A: ["x".repeat(200), "y"] });
    expect(shown(set(plain("x".repeat(201)), plain("y"), "variables.A"))).to.deep.equal(NOTHING);
  });

  it("shows nothing of a variable that the program declares as a secret and somebody made visible", () => {
    const secret = { outputs: { variables: {}, secrets: { A: SECRET } } };
    expect(shown(set(secret, secret, "secrets.A"))).to.deep.equal(NOTHING);
    // Whatever a provider says, a name that state has among the secrets stays one.
    const moved = { outputs: { variables: { A: "its value" }, secrets: {} } };
    expect(shown(set(secret, moved, "variables.A"))).to.deep.equal(NOTHING);
    const single = (value: unknown, hidden: boolean): State => ({ outputs: { name: "A", hidden, value } });
    expect(shown(found("EnvVar", single(SECRET, true), single("its value", false), ["value"]))).to.deep.equal(NOTHING);
  });

  it("shows nothing of a variable that was visible and somebody hid", () => {
    const hidden = plain("previewenv:unknown:v1:2026-01-31T09:30:00:hidden");
    expect(shown(set(plain("info"), hidden, "variables.A"))).to.deep.equal(NOTHING);
    // Nor of one whose value is not known, because its last write failed.
    const lost = plain("previewenv:unknown:v1::its write failed");
    expect(shown(set(lost, plain("debug"), "variables.A"))).to.deep.equal(NOTHING);
  });

  it("shows nothing of what is a Pulumi secret in a visible place, in state or in inputs, as a value or as a whole map", () => {
    const marked: State = { outputs: { variables: { A: SECRET } } };
    const inInputs: State = { inputs: { variables: { A: SECRET } }, outputs: { variables: { A: "its value" } } };
    const whole: State = { outputs: { variables: SECRET, observed: { v: 1, names: { x: "A" } } } };
    const wholeInputs: State = { inputs: { variables: SECRET }, outputs: { variables: { A: "its value" } } };
    for (const before of [marked, inInputs, whole, wholeInputs])
      expect(shown(set(before, plain("new"), "variables.A"))).to.deep.equal(NOTHING);
  });

  it("shows nothing of a name that another resource of the stack has as a secret of the same environment", () => {
    const other = found(
      "EnvVar",
      { outputs: { name: "A", value: SECRET } },
      { outputs: { name: "A", value: SECRET } },
      [],
      "same",
    );
    const looked = set(plain("info"), plain("debug"), "variables.A");
    expect(shown(looked, other)).to.deep.equal(NOTHING);
    // A map that is one secret does not tell its names, so nothing of its environment is shown.
    const map = found("EnvVarSet", { outputs: { secrets: SECRET } }, { outputs: { secrets: SECRET } }, [], "same");
    expect(shown(looked, map)).to.deep.equal(NOTHING);
  });

  it("takes a name that only the times of a set tell for a secret, as the native plugin has all secrets in one", () => {
    const state = (value: string): State => plain(value, { secrets: SECRET, observed: { v: 1, names: { x: "A\nB" } } });
    expect(shown(set(state("info"), state("debug"), "variables.A"))).to.deep.equal({ A: ["info", "debug"] });
    const moved = { outputs: { variables: { A: "debug", B: "its value" }, secrets: SECRET } };
    expect(shown(set(state("info"), moved, "variables.B"))).to.deep.equal({ B: [undefined, undefined] });
  });

  it("shows of what the real engine sent only what is visible, before and now", () => {
    const lines = readFileSync(join(__dirname, "fixtures", "drift.jsonl"), "utf8")
      .trim()
      .split("\n");
    const values = shown(...lines.map((line): unknown => JSON.parse(line)));
    const told = Object.entries(values).filter(([, both]) => both.some((value) => value !== undefined));
    expect(Object.fromEntries(told)).to.deep.equal({
      DELETED: ["x", undefined],
      EDITED: ["before", "after"],
      EXTRA: [undefined, "e"],
      ONE: ["v", "e"],
    });
  });
});

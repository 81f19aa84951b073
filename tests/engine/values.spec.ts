import { expect } from "chai";
import { javascript } from "./harness/languages";
import { oneSet } from "./harness/program";
import type { Project } from "./harness/project";
import { useEngine } from "./harness/suite";

const LONG_LENGTH = 32 * 1024;

/** Values that masks, JSON, protobuf or a display could change on their way. */
const values: Record<string, string> = {
  EMPTY: "",
  ONE: "x",
  BLANK: "  \t ",
  LINES: "first\nsecond\n\nlast\n",
  CRLF: "first\r\nsecond\r\n",
  KEY: `-----BEGIN KEY-----\n${"MIIEvQIBADANBg/+\n".repeat(20)}-----END KEY-----\n`,
  UNICODE: "Grüße, 東京, 👩‍👩‍👧, e\u0301, \u200F, \u2028",
  ESCAPES: '\u0000\u001B[31mred\\n"quoted" ${NOT_EXPANDED} %s $HOME `x`',
  JSON: JSON.stringify({ nested: { list: [1, null, "\u00e9"] }, "4dabf18193072939515e22adb298388d": "x" }),
  ASTERISK: "*",
  ASTERISKS: "*".repeat(12),
  MASKED: "ab********yz",
  NUMBER: "007",
  BOOLEAN: "true",
  NULL: "null",
  LONG: "0123456789abcdef".repeat(LONG_LENGTH / 16),
};

/** Names that a path, a property path or JavaScript could take for something else. */
const names = [
  "with.dot",
  "with/slash",
  "with space",
  'quo"te',
  "br[0]",
  "constructor",
  "toString",
  "then",
  "valueOf",
  "id",
  "urn",
  "__internal",
  "ÄÖ",
  "%2F",
  "*",
];

const prefixed = (prefix: string, map: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [`${prefix}${name}`, value]));

/** Worth its 5 CLI calls: a perpetual diff shows only on the engine, which compares and stores the values itself. */
describe("engine: values and names of every kind", function () {
  const engine = useEngine(this);
  const named = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
  const secrets = { ...prefixed("HIDDEN_", values), ...prefixed("hidden ", named) };
  const variables = { ...prefixed("VISIBLE_", values), ...named };
  let project: Project;
  let environmentId: string;

  before(async () => {
    environmentId = engine.environment();
    project = await engine.project({ language: javascript("native") });
    project.write(oneSet({ environmentId, variables, secrets }));
  });

  it("reach the service as they were written", async () => {
    await project.up();
    expect(engine.values(environmentId)).to.deep.equal({ ...variables, ...secrets });
  });

  it("show no diff in the next preview", async () => {
    await project.preview("--expect-no-changes", "--diff");
  });

  it("show no drift in up --refresh, which writes nothing", async () => {
    expect(await engine.requests(() => project.up("--refresh", "--expect-no-changes"))).to.deep.equal({
      "GET /env-vars": 1,
    });
  });

  it("are written one by one when one changes, also a name that the engine's own diff passes over", async () => {
    const changed = { ...variables, __internal: "changed" };
    project.write(oneSet({ environmentId, variables: changed, secrets }));
    expect(await engine.sent(() => project.up())).to.deep.equal([["__internal"]]);
    expect(engine.values(environmentId)).to.deep.equal({ ...changed, ...secrets });
  });

  it("can all be deleted", async () => {
    await project.destroy();
    expect(engine.values(environmentId)).to.deep.equal({});
  });
});

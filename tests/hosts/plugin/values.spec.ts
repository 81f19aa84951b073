import { expect } from "chai";
import * as fc from "fast-check";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isMap, UNKNOWN } from "../../../provider/src/framework/properties";
import {
  inputSecrecy,
  isSecret,
  NOTHING,
  type Secrecy,
  secrecyOf,
  stateSecrecy,
} from "../../../provider/src/hosts/plugin/secrecy";
import { receive, send } from "../../../provider/src/hosts/plugin/values";
import { findResource } from "../../../provider/src/resources";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** What is secret, as a tree of names: `{ secrets: { S: "all" } }`. */
type Tree = "all" | { readonly [name: string]: Tree };

function secret(tree: Tree): Secrecy {
  return tree === "all" ? tree : new Map(Object.entries(tree).map(([entry, inner]) => [entry, secret(inner)]));
}

/** Names that JavaScript has a meaning for are names like any other. */
const name = fc.oneof(
  // The protobuf library cannot send this one: `send` leaves it out.
  fc.string({ unit: "grapheme" }).filter((text) => text !== "__proto__"),
  fc.constantFrom("constructor", "toString", "hasOwnProperty", "with.dot", ""),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("", "  padded\t", "lines\r\n\n", "\u0000\u001B[31m", "\u200F\u2028", "***", "007", "null"),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.constant(UNKNOWN),
    fc.array(tie("any"), { maxLength: 4 }),
    tie("map"),
  ),
  map: fc
    .uniqueArray(fc.tuple(name, tie("any")), { selector: ([key]) => key, maxLength: 4 })
    .map((entries) => Object.fromEntries(entries)),
}));

/** A bag with some of its values, at any depth, marked as secrets. Each mark is drawn by the given choices. */
const marked = fc.tuple(value.map, fc.infiniteStream(fc.nat({ max: 3 }))).map(([bag, choices]) => {
  const isMarked = (): boolean => choices.next().value === 0;
  return { bag, secrecy: marks(bag, isMarked) };
});

function marks(one: unknown, isMarked: () => boolean): Secrecy {
  if (isMarked()) return "all";
  const inner = (isMap(one) ? Object.entries(one) : [])
    .map(([key, item]) => [key, marks(item, isMarked)] as const)
    .filter(([, inside]) => inside === "all" || inside.size > 0);
  return new Map(inner);
}

/** What crosses the wire between two processes. */
function cross(struct: Struct): Struct {
  return Struct.deserializeBinary(struct.serializeBinary());
}

describe("values on the wire to the engine", () => {
  it("come back as they were, with the same secrets, whatever their names, depth and kind", () => {
    fc.assert(
      fc.property(marked, ({ bag, secrecy }) => {
        const inside = secrecy === "all" ? NOTHING : secrecy;
        const received = receive(cross(send(bag, inside)));
        expect(received.bag).to.deep.equal(bag);
        expect(received.secrecy).to.deep.equal(inside);
      }),
    );
  });

  it("keep every secret from showing outside of a secret's own signature", () => {
    fc.assert(
      fc.property(marked, fc.uuid(), ({ bag }, password) => {
        const holder = { ...bag, deep: { deeper: { password } } };
        const plain = JSON.stringify(send(holder, secret({ deep: { deeper: { password: "all" } } })).toJavaScript());
        expect(plain.split(password)).to.have.lengthOf(2);
        expect(plain).to.contain(`"${SIGNATURE}":"${SECRET}","value":"${password}"`);
      }),
      { numRuns: 50 },
    );
  });

  it("keep an entry named __proto__ until a rule can refuse it, and leave JavaScript's own objects alone", () => {
    const bytes = Buffer.from(send({ variables: { xxproto__: "pwned", OTHER: "1" } }).serializeBinary());
    const crossed = Struct.deserializeBinary(
      Buffer.from(bytes.toString("latin1").replace("xxproto", "__proto"), "latin1"),
    );
    const { variables } = receive(crossed).bag;
    expect(Object.entries(variables ?? {})).to.deep.equal([
      ["OTHER", "1"],
      ["__proto__", "pwned"],
    ]);
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
    expect("valueWrapped" in {}).to.equal(false);
  });

  it("are well-formed text, whatever the service says: the engine refuses an answer with an unpaired surrogate", () => {
    const sent = Struct.deserializeBinary(send({ A: "a\ud83cb", B: ["\udf89"] }).serializeBinary());
    expect(receive(sent).bag).to.deep.equal({ A: "a\uFFFDb", B: ["\uFFFD"] });
  });

  it("do not send an entry named __proto__, which the library cannot carry, and keep those beside it", () => {
    const variables: unknown = JSON.parse('{"__proto__":"x","A":"1"}');
    expect(receive(cross(send({ variables }))).bag).to.deep.equal({ variables: { A: "1" } });
  });

  it("are left out when they are undefined, null when they are null, and nothing else that the wire does not have", () => {
    expect(receive(send({ gone: undefined, none: null })).bag).to.deep.equal({ none: null });
    expect(receive(undefined)).to.deep.equal({ bag: {}, secrecy: NOTHING });
    expect(() => send({ bad: 12n })).to.throw(TypeError, "a bigint cannot be sent to the engine");
  });

  const special = (signature: string, fields: object): Struct =>
    Struct.fromJavaScript({ it: { [SIGNATURE]: signature, ...fields } });

  it("open a secret as a whole, with secrets inside it", () => {
    const inner = { [SIGNATURE]: SECRET, value: "one" };
    expect(receive(special(SECRET, { value: { A: inner, B: "two" } }))).to.deep.equal({
      bag: { it: { A: "one", B: "two" } },
      secrecy: secret({ it: "all" }),
    });
  });

  it("make a list with a secret in it one as a whole: an index tells nothing once its items are sorted", () => {
    const inner = { [SIGNATURE]: SECRET, value: "one" };
    for (const item of [inner, { deep: [inner] }])
      expect(receive(Struct.fromJavaScript({ it: ["two", item] })).secrecy).to.deep.equal(secret({ it: "all" }));
  });

  it("open outputs: their value, unknown when they have none, secret when they are", () => {
    expect(receive(special(OUTPUT, { value: 7 }))).to.deep.equal({ bag: { it: 7 }, secrecy: NOTHING });
    expect(receive(special(OUTPUT, {})).bag).to.deep.equal({ it: UNKNOWN });
    expect(receive(special(OUTPUT, { value: "v", secret: true })).secrecy).to.deep.equal(secret({ it: "all" }));
  });
});

describe("secrecy", () => {
  const resource = findResource("EnvVarSet");
  const bag = { variables: { A: "1", B: "2" }, secrets: { S: "3", T: "4" } };

  it("of a map that is declared secret is entry by entry in inputs, so that a diff can name what changes", () => {
    for (const came of [NOTHING, secret({ secrets: "all" })])
      expect(inputSecrecy(resource, bag, came)).to.deep.equal(secret({ secrets: { S: "all", T: "all" } }));
  });

  it("of such a map is one secret in state, which programs in every language can read", () => {
    for (const came of [NOTHING, secret({ secrets: { S: "all" } })])
      expect(stateSecrecy(resource, bag, came)).to.deep.equal(secret({ secrets: "all" }));
  });

  it("of what came as a secret stays where it came, in inputs and in state", () => {
    const came = secret({ variables: { A: "all" } });
    for (const kept of [inputSecrecy(resource, bag, came), stateSecrecy(resource, bag, came)])
      expect(secrecyOf(kept, "variables")).to.deep.equal(secret({ A: "all" }));
  });

  it("of a single value goes when it is declared visible, and not while that is not known", () => {
    const single = findResource("EnvVar");
    for (const flag of [{ hidden: true }, { hidden: UNKNOWN }, {}])
      expect(isSecret(stateSecrecy(single, { value: "1", ...flag }, NOTHING))).to.equal(true);
    expect(isSecret(stateSecrecy(single, { value: "1", hidden: false }, NOTHING))).to.equal(false);
  });
});

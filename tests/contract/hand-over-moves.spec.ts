import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import type { Program } from "../support/engine-steps";
import { failing } from "../support/stack";
import { contract, type Scenario, type Stage } from "../support/stage";

/** What two resources declare. Every move is of `MOVED`; `KEPT` stays where it is. */
interface Move {
  readonly title: string;
  readonly before: readonly [Declaration, Declaration];
  readonly after: readonly [Declaration, Declaration];
}

/** A set, or a single variable. */
type Declaration = { readonly set: Properties } | { readonly single: Properties };

const OLD = "old-value-1234";
const NEW = "new-value-5678";
const plain = (variables: Properties): Declaration => ({ set: { variables } });
const hidden = (secrets: Properties): Declaration => ({ set: { secrets } });

const moves: readonly Move[] = [
  {
    title: "set to set, same value",
    before: [plain({ G: "g", MOVED: OLD }), plain({ T: "t" })],
    after: [plain({ G: "g" }), plain({ T: "t", MOVED: OLD })],
  },
  {
    title: "set to set, new value",
    before: [plain({ G: "g", MOVED: OLD }), plain({ T: "t" })],
    after: [plain({ G: "g" }), plain({ T: "t", MOVED: NEW })],
  },
  {
    title: "set to set, visible to hidden",
    before: [plain({ G: "g", MOVED: OLD }), plain({ T: "t" })],
    after: [plain({ G: "g" }), { set: { variables: { T: "t" }, secrets: { MOVED: NEW } } }],
  },
  {
    title: "set to set, hidden to visible",
    before: [hidden({ G: "g-1234-5678", MOVED: OLD }), plain({ T: "t" })],
    after: [hidden({ G: "g-1234-5678" }), plain({ T: "t", MOVED: NEW })],
  },
  {
    title: "set to set, another scope",
    before: [plain({ G: "g", MOVED: OLD }), { set: { services: ["web"] } }],
    after: [plain({ G: "g" }), { set: { variables: { MOVED: OLD }, services: ["web"] } }],
  },
  {
    title: "set to EnvVar, new value",
    before: [plain({ G: "g", MOVED: OLD }), { single: { name: "T", value: "t", hidden: false } }],
    after: [plain({ G: "g" }), { single: { name: "MOVED", value: NEW, hidden: false } }],
  },
  {
    title: "EnvVar to set, new value",
    before: [{ single: { name: "MOVED", value: OLD, hidden: false } }, plain({ T: "t" })],
    after: [{ single: { name: "OTHER", value: "o", hidden: false } }, plain({ T: "t", MOVED: NEW })],
  },
  {
    title: "two names change places",
    before: [plain({ MOVED: OLD }), plain({ OTHER: "o" })],
    after: [plain({ OTHER: "other" }), plain({ MOVED: NEW })],
  },
  {
    title: "several names at once",
    before: [plain({ G: "g", MOVED: OLD, B: "b", C: "c" }), plain({ T: "t" })],
    after: [plain({ G: "g" }), plain({ T: "t", MOVED: NEW, B: "b2", C: "c2" })],
  },
];

type Named = readonly (readonly [string, Declaration])[];
/** Which of the two the program declares first. */
type Order = readonly [string, (giver: Declaration, taker: Declaration) => Named];

const orders: readonly Order[] = [
  [
    "giver first",
    (giver, taker) => [
      ["giver", giver],
      ["taker", taker],
    ],
  ],
  [
    "taker first",
    (giver, taker) => [
      ["taker", taker],
      ["giver", giver],
    ],
  ],
];

function programOf({ environmentId }: Stage, declared: Named): Program {
  return Object.fromEntries(
    declared.map(([name, one]) =>
      "set" in one
        ? [name, { type: "EnvVarSet", inputs: { environmentId, ...one.set } }]
        : [name, { type: "EnvVar", inputs: { environmentId, ...one.single } }],
    ),
  );
}

/** A move in one `up`: no error, nothing missing at any moment, and the next `up` changes nothing. */
function inOneUp({ title, before, after }: Move, [order, arrange]: Order, refresh: boolean): Scenario {
  return {
    title: `${title}, ${order}${refresh ? ", --refresh" : ""}`,
    needsTime: true,
    async run(stage) {
      const { engine, sandbox, world, environmentId, requests } = stage;
      await engine.up(programOf(stage, arrange(...before)));
      requests();
      const moved = programOf(stage, arrange(...after));
      const missing: string[] = [];
      sandbox.faults.add({
        match: () => (world.variable(environmentId, "MOVED") === undefined && missing.push("MOVED"), false),
      });
      await engine.up(moved, { refresh, parallel: true });
      expect(missing).to.deep.equal([]);
      const labels = requests();
      const isSame = title.includes("same value");
      expect(world.variable(environmentId, "MOVED")?.value).to.equal(isSame || title.includes("scope") ? OLD : NEW);
      // EnvVar replaces itself when its name changes: that name of its own goes.
      expect(labels.filter((label) => label === "DELETE /env-vars").length).to.be.at.most(
        title.includes("set to EnvVar") ? 1 : 0,
      );
      expect(Object.values((await engine.up(moved)).operations)).to.deep.equal(["same", "same"]);
      await engine.destroy();
      expect(stage.values()).to.deep.equal({});
    },
  };
}

const faults = [
  { what: "a PUT that gets 503", fault: { label: "PUT /env-vars", status: 503 } },
  { what: "every PUT gets 500", fault: { label: "PUT /env-vars", status: 500, times: 4 } },
  { what: "a PUT whose answer is lost", fault: { label: "PUT /env-vars", dropAfter: true } },
  { what: "a GET whose answer is lost", fault: { label: "GET /env-vars", dropAfter: true } },
  { what: "every GET gets 500", fault: { label: "GET /env-vars", status: 500, times: 4 } },
  { what: "a refusal of the name", fault: { refuse: { MOVED: "no room" } } },
] as const;

/** After a fault the name has its old or its new value, and two `up` converge. */
function withFault(move: Move, [order, arrange]: Order, { what, fault }: (typeof faults)[number]): Scenario {
  return {
    title: `${move.title}, ${order}, ${what}`,
    needsTime: true,
    settings: { maxRetries: "0" },
    async run(stage) {
      const { engine, sandbox, world, environmentId } = stage;
      await engine.up(programOf(stage, arrange(...move.before)));
      const moved = programOf(stage, arrange(...move.after));
      sandbox.faults.add(fault);
      await failing(engine.up(moved, { parallel: true }));
      sandbox.faults.clear();
      expect(world.variable(environmentId, "MOVED")?.value).to.be.oneOf([OLD, NEW]);
      await engine.up(moved, { parallel: true });
      await engine.up(moved, { parallel: true });
      expect(world.variable(environmentId, "MOVED")?.value).to.equal(NEW);
      expect(Object.values((await engine.up(moved)).operations)).to.deep.equal(["same", "same"]);
    },
  };
}

// Not from an EnvVar: what a replacement has left to be deleted needs a refresh (hand-over-failures.spec.ts).
const [, newValue, , , , toSingle, , exchange] = moves;
const faulty = [newValue, toSingle, exchange].filter((move) => move !== undefined);

contract(
  "hand-over, in one up",
  moves.flatMap((move) => orders.flatMap((order) => [false, true].map((refresh) => inOneUp(move, order, refresh)))),
);

contract(
  "hand-over, with a fault",
  faulty.flatMap((move) => orders.flatMap((order) => faults.map((fault) => withFault(move, order, fault)))),
);

contract("hand-over, the giver gone from the program", [
  {
    title: "an error that says what to do and deletes nothing; up --refresh then moves the name",
    async run(stage) {
      const { engine, values } = stage;
      await engine.up(
        programOf(stage, [
          ["giver", plain({ MOVED: OLD })],
          ["taker", plain({ T: "t" })],
        ]),
      );
      const moved = programOf(stage, [["taker", plain({ T: "t", MOVED: NEW })]]);
      expect((await failing(engine.up(moved))).errors.join()).to.match(/MOVED.*pulumi up --refresh/u);
      expect(values()).to.deep.equal({ MOVED: OLD, T: "t" });
      await engine.up(moved, { refresh: true });
      expect(values()).to.deep.equal({ MOVED: NEW, T: "t" });
      expect([...engine.state.keys()]).to.deep.equal(["taker"]);
    },
  },
]);

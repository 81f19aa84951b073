import { isDeepStrictEqual } from "node:util";
import { SEED } from "../../provider/src/sandbox";
import type { Guide } from "./guide";

/** Values for the tour only. They are not secrets. */
const DEMO = {
  databaseUrl: "postgres://shop:demo@db.internal/shop",
  editedByHand: "postgres://somebody:else@db.internal/shop",
  rotatedDatabaseUrl: "postgres://shop:rotated@db.internal/shop",
  paymentKey: "demo-payment-key-4711",
  queueUrl: "amqp://shop:demo@queue.internal",
} as const;
const REFUSAL = "the secret store did not answer";
const DECLARED = ["DATABASE_URL", "FEATURE_CHECKOUT", "LOG_LEVEL", "PAYMENT_KEY"] as const;

/** One step of the tour. */
export interface Step {
  /** For the heading. */
  readonly title: string;
  /** What the reader should look at. */
  readonly lookAt: string;
  readonly run: (guide: Guide) => Promise<void>;
}

/** Secrets of the stack that the quickstart's program asks for. */
export async function configureSecrets(guide: Guide): Promise<void> {
  await guide.setSecret("secrets.DATABASE_URL", DEMO.databaseUrl);
  await guide.setSecret("secrets.PAYMENT_KEY", DEMO.paymentKey);
}

/** The tour, in order. */
export const steps: readonly Step[] = [
  {
    title: "pulumi up, from nothing",
    lookAt: "the environment is found by its pull request; four variables travel in one PUT; `up` waits for the build",
    run: fromNothing,
  },
  { title: "nothing to do", lookAt: "everything unchanged, although the service was asked", run: nothingToDo },
  {
    title: "somebody changes three things by hand",
    lookAt: "three changes that Pulumi knows nothing of",
    run: changeByHand,
  },
  {
    title: "what was changed",
    lookAt: "the (update) blocks name exactly those three; of a hidden variable the name, never the value",
    run: showDrift,
  },
  {
    title: "put it back",
    lookAt: "one PUT with two variables, one branch change, one build; the other variables are not sent",
    run: heal,
  },
  {
    title: "a service that refuses one variable",
    lookAt:
      "the service stores one of two variables (207): the error names the other, and the next `up` sends just that",
    run: survivePartialFailure,
  },
  {
    title: "destroy",
    lookAt: "the declared variables go; those that others made stay, and so does the branch",
    run: destroy,
  },
];

async function fromNothing(guide: Guide): Promise<void> {
  await guide.succeed("up", "--yes", "--skip-preview");
  guide.check("one PUT carried all four variables", isDeepStrictEqual(guide.sentNames, [DECLARED]));
  guide.check("one branch change, and one build that `up` has waited for", isRebuilt(guide, "PATCH /environment"));
  guide.check("the repository web is on feature/checkout", guide.branchOf("web") === "feature/checkout");
}

async function nothingToDo(guide: Guide): Promise<void> {
  await guide.succeed("preview", "--expect-no-changes");
  guide.check("the service was read only", isReadOnly(guide));
}

async function changeByHand(guide: Guide): Promise<void> {
  const { world } = guide.sandbox;
  const id = SEED.shopPullRequest;
  const services = ["web", "worker"];
  guide.byHand("DATABASE_URL, a hidden variable, gets another value", () =>
    world.setVariable(id, { name: "DATABASE_URL", value: DEMO.editedByHand, hidden: true, services }),
  );
  guide.byHand("FEATURE_CHECKOUT is deleted", () => void world.deleteVariable(id, "FEATURE_CHECKOUT"));
  guide.byHand("the repository web is switched to the branch main", () => world.switchBranch(id, "web", "main"));
  return Promise.resolve();
}

async function showDrift(guide: Guide): Promise<void> {
  const output = await guide.succeed("preview", "--refresh", "--diff");
  const named = changedNames(output);
  const isNamed = (name: string): boolean => named.has(name);
  guide.check(
    "it names DATABASE_URL, FEATURE_CHECKOUT and the repository web",
    ["DATABASE_URL", "FEATURE_CHECKOUT", "web"].every(isNamed),
  );
  guide.check("and no other variable or repository", !["LOG_LEVEL", "PAYMENT_KEY", "NODE_ENV", "api"].some(isNamed));
  guide.check("no hidden value is shown", !output.includes(DEMO.editedByHand) && !output.includes(DEMO.databaseUrl));
  guide.check("the service was read only", isReadOnly(guide));
}

async function heal(guide: Guide): Promise<void> {
  await guide.succeed("up", "--yes", "--refresh", "--skip-preview");
  const expected = [["DATABASE_URL", "FEATURE_CHECKOUT"]];
  guide.check("one PUT carried just these two variables", isDeepStrictEqual(guide.sentNames, expected));
  guide.check("DATABASE_URL is as declared again", guide.variable("DATABASE_URL")?.value === DEMO.databaseUrl);
  guide.check("one branch change put web back, with one build", isRebuilt(guide, "PATCH /environment"));
}

async function survivePartialFailure(guide: Guide): Promise<void> {
  await guide.setSecret("secrets.DATABASE_URL", DEMO.rotatedDatabaseUrl);
  await guide.setSecret("secrets.QUEUE_URL", DEMO.queueUrl);
  guide.byHand("the service will refuse QUEUE_URL, once", () => {
    guide.sandbox.faults.add({ refuse: { QUEUE_URL: REFUSAL } });
  });
  const output = await guide.fail("up", "--yes", "--skip-preview");
  guide.check("the error names QUEUE_URL and the service's reason", /QUEUE_URL.*secret store/u.test(output));
  guide.check("DATABASE_URL is stored", guide.variable("DATABASE_URL")?.value === DEMO.rotatedDatabaseUrl);
  guide.check("QUEUE_URL is not", guide.variable("QUEUE_URL") === undefined);

  await guide.succeed("up", "--yes", "--skip-preview");
  guide.check("the next up sent just QUEUE_URL", isDeepStrictEqual(guide.sentNames, [["QUEUE_URL"]]));
  guide.check("and rebuilt once, since variables have changed", isRebuilt(guide, "POST /rebuild"));
}

async function destroy(guide: Guide): Promise<void> {
  const others = ["NODE_ENV", "PAYMENT_PROVIDER", "SESSION_KEY", "SMTP_PASSWORD"];
  await guide.succeed("destroy", "--yes", "--skip-preview");
  const left = guide.sandbox.world.variables(SEED.shopPullRequest).map(({ name }) => name);
  guide.check(`left are the unmanaged variables: ${others.join(", ")}`, isDeepStrictEqual(left.toSorted(), others));
  guide.check("the branch is kept", guide.branchOf("web") === "feature/checkout");
}

/** Whether the last command queued one build, by the given request, and has waited until the environment runs. */
function isRebuilt({ requests, environment }: Guide, label: string): boolean {
  const queued = requests.filter((request) => ["PATCH", "POST"].includes(request.method));
  return queued.length === 1 && queued[0]?.label === label && environment.ready && !environment.processing;
}

function isReadOnly({ requests }: Guide): boolean {
  return requests.length > 0 && requests.every(({ method }) => method === "GET");
}

const MARKED_LINE = /^\s*[~+-]\s+"?([\w.-]+)"?\s*:\s/u;

/** The names that a `--diff` of the CLI marks as added, changed or removed (`~ LOG_LEVEL: ...`). */
function changedNames(output: string): ReadonlySet<string> {
  return new Set(output.split("\n").flatMap((line) => MARKED_LINE.exec(line)?.[1] ?? []));
}

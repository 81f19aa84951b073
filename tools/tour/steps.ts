import { isDeepStrictEqual } from "node:util";
import { type EnvironmentView, SEED } from "../../provider/src/sandbox";
import type { Guide } from "./guide";

/** Values for the tour only. They are not secrets. */
const DEMO = {
  databaseUrl: "postgres://shop:demo@db.internal/shop",
  editedByHand: "postgres://somebody:else@db.internal/shop",
  rotatedDatabaseUrl: "postgres://shop:rotated@db.internal/shop",
} as const;
/** The environment of the tour: pull request 42 of the repository `web`. */
const ID = SEED.shopPullRequest;
const DECLARED = ["DATABASE_URL", "FEATURE_CHECKOUT", "LOG_LEVEL"] as const;

/** The tour. @throws TourError when a check fails */
export async function showSteps(guide: Guide): Promise<void> {
  await createStack(guide);
  await createEverything(guide);
  await previewNothing(guide);
  changeByHand(guide);
  await showDrift(guide);
  await heal(guide);
  await survivePartialFailure(guide);
  await destroy(guide);
}

async function createStack(guide: Guide): Promise<void> {
  guide.begin("a stack and its secret", "the secret is encrypted in the stack's config; it is a demo value");
  await guide.succeed("stack", "init", "tour");
  await setDatabaseUrl(guide, DEMO.databaseUrl);
}

async function setDatabaseUrl(guide: Guide, value: string): Promise<void> {
  await guide.succeed("config", "set", "--secret", "databaseUrl", value);
}

async function createEverything(guide: Guide): Promise<void> {
  guide.begin(
    "pulumi up, from nothing",
    "the environment is found by its pull request; three variables travel in one PUT; `up` waits for the build",
  );
  await guide.succeed("up", "--yes", "--skip-preview");
  guide.check("one PUT carried all three variables", isDeepStrictEqual(guide.sentNames, [DECLARED]));
  guide.check("one branch change, and one build that `up` has waited for", isRebuilt(guide, "PATCH /environment"));
  guide.check("the repository web is on feature/checkout", isOnFeatureBranch(guide));
}

async function previewNothing(guide: Guide): Promise<void> {
  guide.begin("nothing to do", "everything unchanged, although the service was asked");
  await guide.succeed("preview", "--expect-no-changes");
  guide.check("the service was read only", isReadOnly(guide));
}

function changeByHand(guide: Guide): void {
  guide.begin("somebody changes three things by hand", "three changes that Pulumi knows nothing of");
  const { world } = guide.sandbox;
  const services = ["web", "worker"];
  world.setVariable(ID, { name: "DATABASE_URL", value: DEMO.editedByHand, hidden: true, services });
  guide.tellByHand("DATABASE_URL, a hidden variable, gets another value");
  world.deleteVariable(ID, "FEATURE_CHECKOUT");
  guide.tellByHand("FEATURE_CHECKOUT is deleted");
  world.switchBranch(ID, "web", "main");
  guide.tellByHand("the repository web is switched to the branch main");
}

async function showDrift(guide: Guide): Promise<void> {
  guide.begin(
    "what was changed",
    "the (update) blocks name exactly those three; of a hidden variable the name, never the value",
  );
  const output = await guide.succeed("preview", "--refresh", "--diff");
  const named = changedNames(output);
  const isNamed = (name: string): boolean => named.has(name);
  guide.check(
    "it names DATABASE_URL, FEATURE_CHECKOUT and the repository web",
    ["DATABASE_URL", "FEATURE_CHECKOUT", "web"].every(isNamed),
  );
  guide.check("and no other variable or repository", !["LOG_LEVEL", "NODE_ENV", "api"].some(isNamed));
  guide.check("no hidden value is shown", !output.includes(DEMO.editedByHand) && !output.includes(DEMO.databaseUrl));
  guide.check("the service was read only", isReadOnly(guide));
}

async function heal(guide: Guide): Promise<void> {
  guide.begin(
    "put it back",
    "one PUT with two variables, one branch change, one build; the other variables are not sent",
  );
  await guide.succeed("up", "--yes", "--refresh", "--skip-preview");
  const expected = [["DATABASE_URL", "FEATURE_CHECKOUT"]];
  guide.check("one PUT carried just these two variables", isDeepStrictEqual(guide.sentNames, expected));
  guide.check("DATABASE_URL is as declared again", valueOf(guide, "DATABASE_URL") === DEMO.databaseUrl);
  guide.check("one branch change put web back, with one build", isRebuilt(guide, "PATCH /environment"));
}

async function survivePartialFailure(guide: Guide): Promise<void> {
  guide.begin(
    "a service that refuses one variable",
    "the service stores one of two variables (207): the error names the other, and the next `up` sends just that",
  );
  await setDatabaseUrl(guide, DEMO.rotatedDatabaseUrl);
  guide.edit('LOG_LEVEL: "debug"', 'LOG_LEVEL: "info"');
  guide.sandbox.faults.add({ refuse: { LOG_LEVEL: "the store did not answer" } });
  guide.tellByHand("the service will refuse LOG_LEVEL, once");
  const output = await guide.fail("up", "--yes", "--skip-preview");
  guide.check(
    "the error names LOG_LEVEL and the service's reason",
    /LOG_LEVEL.*the store did not answer/u.test(output),
  );
  guide.check("DATABASE_URL is stored", valueOf(guide, "DATABASE_URL") === DEMO.rotatedDatabaseUrl);
  guide.check("LOG_LEVEL is as before", valueOf(guide, "LOG_LEVEL") === "debug");

  await guide.succeed("up", "--yes", "--skip-preview");
  guide.check("the next up sent just LOG_LEVEL", isDeepStrictEqual(guide.sentNames, [["LOG_LEVEL"]]));
  guide.check("and rebuilt once, since variables have changed", isRebuilt(guide, "POST /rebuild"));
}

async function destroy(guide: Guide): Promise<void> {
  guide.begin("destroy", "the declared variables go; those that others made stay, and so does the branch");
  const others = ["NODE_ENV", "PAYMENT_PROVIDER", "SESSION_KEY", "SMTP_PASSWORD"];
  await guide.succeed("destroy", "--yes", "--skip-preview");
  const left = guide.sandbox.world.variables(ID).map(({ name }) => name);
  guide.check(`left are the unmanaged variables: ${others.join(", ")}`, isDeepStrictEqual(left.toSorted(), others));
  guide.check("the branch is kept", isOnFeatureBranch(guide));
}

/** A variable as the service has it, with its real value. */
function valueOf({ sandbox }: Guide, name: string): string | undefined {
  return sandbox.world.variable(ID, name)?.value;
}

function environmentOf({ sandbox }: Guide): EnvironmentView | undefined {
  return sandbox.world.environments.get(ID);
}

function isOnFeatureBranch(guide: Guide): boolean {
  const web = environmentOf(guide)?.projects.find(({ repoName }) => repoName === "web");
  return web?.branch === "feature/checkout";
}

/** Whether the last command queued one build, by the given request, and has waited until the environment runs. */
function isRebuilt(guide: Guide, label: string): boolean {
  const { requests } = guide;
  const environment = environmentOf(guide);
  const queued = requests.filter((request) => ["PATCH", "POST"].includes(request.method));
  return queued.length === 1 && queued[0]?.label === label && environment?.ready === true && !environment.processing;
}

function isReadOnly({ requests }: Guide): boolean {
  return requests.length > 0 && requests.every(({ method }) => method === "GET");
}

const MARKED_LINE = /^\s*[~+-]\s+"?([\w.-]+)"?\s*:\s/u;

/** The names that a `--diff` of the CLI marks as added, changed or removed (`~ LOG_LEVEL: ...`). */
function changedNames(output: string): ReadonlySet<string> {
  return new Set(output.split("\n").flatMap((line) => MARKED_LINE.exec(line)?.[1] ?? []));
}

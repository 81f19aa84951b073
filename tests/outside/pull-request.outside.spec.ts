import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { type Sandbox, startSandbox } from "../../provider/src/sandbox";
import { IssueTracker } from "../drift/issue-tracker";
import { Terminal } from "./terminal";
import { type Ended, WorkflowRun } from "./workflow-run";
import { Workshop } from "./workshop";

/** Against hanging only. */
const LIMIT_MS = 1_200_000;
const DATABASE_URL = "postgres://shop:demo@db.internal/shop";
/** What the run of its close removes. */
const CLOSED = { number: 41, branch: "feature/search", id: "41414141-4141-4141-8141-414141414141" };
/** What CI does not notice when it closes. */
const MISSED = { number: 42, branch: "feature/checkout", id: "42424242-4242-4242-8242-424242424242" };
type PullRequest = typeof MISSED;

/**
 * Worth its 50 CLI calls: whether the files of the folder fit together (which variables each job has, what a new checkout lacks, which job
 * removes what) shows only when they run one after another, as they are.
 */
describe("examples/pull-request, copied: the life of two pull requests", function () {
  this.timeout(LIMIT_MS);
  let workshop: Workshop;
  let sandbox: Sandbox;
  let github: IssueTracker;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let vars: Readonly<Record<string, string>>;
  let runs = 0;

  before(async () => {
    workshop = new Workshop();
    const environments = [CLOSED, MISSED].map(({ number, id }) => ({
      id,
      name: `shop-pr-${number}`,
      projects: [{ repoName: "web", branch: "main", pullRequestNumber: number }],
    }));
    sandbox = await startSandbox({ buildSeconds: 0, environments });
    github = new IssueTracker("github");
    const { GITHUB_TOKEN: _, ...given } = await github.start();
    env = { ...workshop.env, ...given, GITHUB_SERVER_URL: "https://github.example" };
    vars = { PREVIEWENV_BASE_URL: sandbox.url, PULUMI_BACKEND_URL: `file://${workshop.empty("state")}` };
    folder = workshop.open({ title: "preview", copyOf: "examples/pull-request", steps: [] });
    workshop.installer.install(folder, "npm install");
  });

  after(async () => {
    await github?.stop();
    await sandbox?.close();
    await workshop?.[Symbol.asyncDispose]();
  });

  /** A run of a workflow in a new checkout. */
  const play = async (
    file: string,
    event: Readonly<Record<string, unknown>>,
    inputs: Readonly<Record<string, string>> = {},
  ): Promise<Ended> => {
    for (const name of readdirSync(folder)) if (/^Pulumi\..+\.yaml$/u.test(name)) rmSync(join(folder, name));
    runs += 1;
    const checkout = dirname(folder);
    const run = new WorkflowRun(
      checkout,
      {
        ...env,
        GITHUB_RUN_ID: String(runs),
        GITHUB_WORKFLOW_REF: `acme/infra/.github/workflows/${file}@refs/heads/main`,
      },
      {
        github: { ...event, repository: "acme/infra", workspace: checkout, token: "tracker-token" },
        vars,
        secrets: {
          PREVIEW_DATABASE_URL: DATABASE_URL,
          PREVIEWENV_API_TOKEN: sandbox.token,
          PULUMI_CONFIG_PASSPHRASE: "passphrase",
        },
        inputs,
      },
    );
    const ended = await run.play(join(folder, file));
    for (const secret of [DATABASE_URL, sandbox.token, "tracker-token"]) expect(ended.text).not.to.contain(secret);
    return ended;
  };

  /** An event of a pull request: what GitHub then answers about it, and the run of preview.yml. */
  const event = (action: string, { number, branch }: PullRequest): Promise<Ended> => {
    github.pullRequests.set(number, { state: action === "closed" ? "closed" : "open", branch });
    const head = { repo: { full_name: "acme/infra" } };
    return play("preview.yml", { event: { action, number, pull_request: { head } }, head_ref: branch });
  };
  const drift = (inputs: Readonly<Record<string, string>> = {}): Promise<Ended> => play("drift.yml", {}, inputs);

  const stacks = async (): Promise<string> => {
    await using terminal = new Terminal(folder, { ...env, ...vars });
    return (await terminal.run("pulumi stack ls --json | grep -o 'pr-[0-9]*' || true")).text.trim();
  };
  const deployed = ({ id }: PullRequest): unknown => ({
    LOG_LEVEL: sandbox.world.variable(id, "LOG_LEVEL")?.value,
    DATABASE_URL: sandbox.world.variable(id, "DATABASE_URL")?.value,
    branch: sandbox.world.environments.get(id)?.projects[0]?.branch,
  });
  const asDeclared = ({ branch }: PullRequest): unknown => ({ LOG_LEVEL: "debug", DATABASE_URL, branch });
  const editByHand = ({ id }: PullRequest): void =>
    sandbox.world.setVariable(id, { name: "LOG_LEVEL", value: "by hand", hidden: false });
  const green = ({ isGreen, text }: Ended): string => {
    expect(isGreen, text).to.equal(true);
    return text;
  };

  it("before the first one the scheduled job is green", async () => {
    expect(green(await drift())).to.contain("In sync: no issue is open.");
  });

  it("opened, each gets a stack, its variables and its branch", async () => {
    for (const one of [CLOSED, MISSED]) {
      green(await event("opened", one));
      expect(deployed(one)).to.deep.equal(asDeclared(one));
    }
    expect(await stacks()).to.equal("pr-41\npr-42");
  });

  it("a push restores what was edited by hand", async () => {
    editByHand(CLOSED);
    green(await event("synchronize", CLOSED));
    expect(deployed(CLOSED)).to.deep.equal(asDeclared(CLOSED));
  });

  it("the scheduled job reports what was changed in both by hand, in one issue that links the run and names heal", async () => {
    editByHand(CLOSED);
    sandbox.world.switchBranch(MISSED.id, "web", "main");
    sandbox.journal.clear();
    expect(green(await drift())).to.contain("Opened issue 1.");
    expect(sandbox.journal.entries.filter(({ method }) => method !== "GET")).to.deep.equal([]);
    expect(github.issues).to.have.lengthOf(1);
    expect(github.issues[0]?.text)
      .to.match(/`pr-41`: drift.*`LOG_LEVEL`.*`pr-42`: drift.*`web`/su)
      .and.contain(`[this run](https://github.example/acme/infra/actions/runs/${runs})`)
      .and.contain("[this workflow](https://github.example/acme/infra/actions/workflows/drift.yml) with `heal`");
  });

  it("started with heal, it restores both, and closes the issue", async () => {
    expect(green(await drift({ heal: "true" }))).to.contain("Closed issue 1.");
    for (const one of [CLOSED, MISSED]) expect(deployed(one)).to.deep.equal(asDeclared(one));
    expect(github.issues[0]?.comments.join()).to.contain(`/actions/runs/${runs})`);
  });

  it("closed, one leaves neither variables nor a stack", async () => {
    green(await event("closed", CLOSED));
    expect(sandbox.world.variables(CLOSED.id)).to.deep.equal([]);
    expect(await stacks()).to.equal("pr-42");
  });

  it("the other one closes without a run; while GitHub does not answer for it, its stack stays, and the job is red", async () => {
    sandbox.world.setFlags(MISSED.id, { deleted: true });
    github.pullRequests.delete(MISSED.number);
    const { isGreen, text } = await drift();
    expect(isGreen, text).to.equal(false);
    expect(text).to.match(/pr-42: .*status 404.*kept.*Opened issue 2\./su);
    expect(await stacks()).to.equal("pr-42");
  });

  it("when GitHub answers that it is closed, the scheduled job removes its stack, and is green", async () => {
    github.pullRequests.set(MISSED.number, { state: "closed", branch: MISSED.branch });
    expect(green(await drift())).to.contain("Closed issue 2.");
    expect(await stacks()).to.equal("");
    expect(github.issues.filter(({ isOpen }) => isOpen)).to.deep.equal([]);
  });
});

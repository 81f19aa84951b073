import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { lackOf } from "../engine/harness/languages";
import type { Guide, Step } from "./guide";
import { type Ended, Terminal } from "./terminal";
import { Workshop } from "./workshop";

const SANDBOX = /^npx \S+ sandbox$/u;
const LISTENS = /http:\/\/127\.0\.0\.1:\d+/u;
/** Where the pages have the sandbox. Here it is on a free port, as another one may run. */
const ON_PAGES = "http://127.0.0.1:4010";
/** Where `pulumi new` gets an example of the release. */
const TEMPLATE = /^(pulumi new )https:\/\/github\.com\/[^/]+\/[^/]+\/tree\/[^/]+\/(\S+)/u;
/** What asks before it acts, and has nobody to ask here. */
const ASKS = /^pulumi (?:up|destroy|import)\b(?!.* --yes\b)/u;
/** The value that pages declare as a secret. */
const SECRET = "postgres://shop:demo@db.internal/shop";
/** For guides to programs in other languages: how the sandbox gets to the machine. */
const FOR_SANDBOX = "npm install pulumi-previewenv @pulumi/pulumi typescript@6";

/** A guide that is followed, in a folder and with a sandbox of its own. */
export class Attempt implements AsyncDisposable {
  readonly #workshop: Workshop;
  readonly #guide: Guide;
  readonly #terminal: Terminal;
  #service: Service | undefined;

  constructor(workshop: Workshop, guide: Guide, env: NodeJS.ProcessEnv) {
    this.#workshop = workshop;
    this.#guide = guide;
    this.#terminal = new Terminal(workshop.open(guide), env);
  }

  /** Takes the next step. @throws when it ends otherwise than the guide says, with all it printed. */
  async take(step: Step): Promise<void> {
    const { run, enters, code = 0, shows, writes } = step;
    const ended = await this.#do(enters === undefined ? run : `echo '${enters}' | ${run}`);
    if (ended.code !== code) throw this.#failure(step, `ended with ${ended.code} instead of ${code}`, ended);
    if (ended.text.includes(SECRET)) throw this.#failure(step, `printed the secret ${SECRET}`, ended);
    if (shows?.test(ended.text) === false) throw this.#failure(step, `did not print ${String(shows)}`, ended);
    // Looked at after every step: what an earlier one wrote is not this one's.
    const written = (await this.#service?.writes()) ?? [];
    if (writes !== undefined && !isDeepStrictEqual(written, writes.toSorted()))
      throw this.#failure(step, `wrote [${written.join(", ")}] instead of [${writes.join(", ")}]`, ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#terminal[Symbol.asyncDispose]();
  }

  async #do(line: string): Promise<Ended> {
    const { folder } = this.#terminal;
    if (line.startsWith("npm install")) {
      // Of a folder within it, as npm's option says.
      const [option = "", within = ""] = / --prefix (\S+)/u.exec(line) ?? [];
      this.#workshop.installer.install(join(folder, within), line.replace(option, ""));
      return { code: 0, text: "" };
    }
    if (SANDBOX.test(line)) return this.#startSandbox(line);
    const [, isNew, example] = TEMPLATE.exec(line) ?? [];
    if (isNew !== undefined && example !== undefined) return this.#newProject(line, example);
    const answered = line.replace(ASKS, (command) => `${command} ${this.#workshop.answer()}`);
    return this.#terminal.run(answered.replaceAll(ON_PAGES, this.#service?.url ?? ON_PAGES));
  }

  /** `pulumi new`, with the example as it is packed. */
  async #newProject(line: string, example: string): Promise<Ended> {
    const { installer } = this.#workshop;
    const template = installer.template(example);
    // Then the folder is not empty, as a user's is.
    const force = existsSync(join(template, "package.json")) && installer.lend(template, this.#terminal.folder);
    const ended = await this.#terminal.run(line.replace(TEMPLATE, `$1${force ? "--force " : ""}'${template}'`));
    if (ended.code === 0) this.#useSandbox();
    return ended;
  }

  /** The stack that an example has set up knows the sandbox by the address that the pages have. */
  #useSandbox(): void {
    const { folder } = this.#terminal;
    const url = this.#service?.url ?? ON_PAGES;
    for (const name of readdirSync(folder).filter((file) => /^Pulumi\..+\.yaml$/u.test(file))) {
      const file = join(folder, name);
      writeFileSync(file, readFileSync(file, "utf8").replace(ON_PAGES, url));
    }
  }

  async #startSandbox(line: string): Promise<Ended> {
    let { folder } = this.#terminal;
    if (!existsSync(join(folder, "node_modules"))) {
      folder = this.#workshop.empty(`${this.#guide.title} sandbox`);
      this.#workshop.installer.install(folder, FOR_SANDBOX);
    }
    this.#service = new Service(await this.#terminal.start(`${line} --port 0 --build-seconds 0`, folder, LISTENS));
    this.#useSandbox();
    return { code: 0, text: "" };
  }

  #failure({ run }: Step, what: string, { text }: Ended): Error {
    const error = new Error(`${this.#guide.title}: $ ${run}\n${what}:\n${text.replaceAll(/^/gmu, "    ")}`);
    // The stack would be that of the tests.
    delete error.stack;
    return error;
  }
}

const journal = z.object({ entries: z.array(z.object({ sequence: z.number(), label: z.string() })) });

/** The sandbox that a guide has started, seen from outside. */
export class Service {
  readonly url: string;
  #seen = 0;

  constructor(url: string) {
    this.url = url;
  }

  /** The requests since the last call that are no reads: each kind once, sorted. */
  async writes(): Promise<readonly string[]> {
    const answer = await fetch(new URL("/__sandbox/journal", this.url));
    const { entries } = journal.parse(await answer.json());
    const fresh = entries.filter(({ sequence }) => sequence > this.#seen);
    this.#seen = Math.max(this.#seen, ...fresh.map(({ sequence }) => sequence));
    const labels = fresh.map(({ label }) => label).filter((label) => !label.startsWith("GET "));
    return [...new Set(labels)].toSorted();
  }
}

/** Against hanging only: Terminal ends a command long before. */
const LIMIT_MS = 3_600_000;

/** Declares a suite that follows guides: the pages' own commands, with the packed project and without the checkout. Each command is a test. */
export function followAll(guides: readonly Guide[]): void {
  describe("outside of the checkout", function () {
    this.timeout(LIMIT_MS);
    let workshop: Workshop;
    before("pack the project", () => void (workshop = new Workshop()));
    after(() => workshop[Symbol.asyncDispose]());

    for (const guide of guides) {
      const lack = guide.language && lackOf(guide.language);
      if (lack !== undefined) {
        describe.skip(`${guide.title} (${lack})`, () => void it("runs"));
        continue;
      }
      describe(guide.title, () => {
        let attempt: Attempt | undefined;
        let isBroken = false;
        before(async function () {
          attempt = new Attempt(workshop, guide, await workshop.envOf(guide, this));
        });
        after(() => attempt?.[Symbol.asyncDispose]());

        for (const step of guide.steps)
          it(`$ ${step.run.split("\n", 1).join()}`, async function () {
            // What comes after a command that failed shows nothing.
            if (isBroken) this.skip();
            isBroken = true;
            await attempt?.take(step);
            isBroken = false;
          });
      });
    }
  });
}

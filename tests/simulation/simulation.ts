import type { Reply } from "../../provider/src/sandbox/http/router";
import { EngineModel } from "../support/engine-model";
import type { Operation, OperationWitness, Run, Stored } from "../support/engine-steps";
import { LogBook } from "../support/log-book";
import { Chance } from "./chance";
import type { Foreign } from "./foreign";
import type { History } from "./history";
import { simulatedHosts } from "./hosts";
import { BuildJudge } from "./judge/builds";
import { RequestJudge } from "./judge/requests";
import { type RunFacts, Scene } from "./judge/scene";
import { StateJudge } from "./judge/states";
import { Leaks } from "./leaks";
import { keyOf } from "./ledger";
import { type Delivered, type Observer, type SimulatedRequest, VirtualNetwork } from "./network";
import { type Death, Processes } from "./processes";
import type { ProgramModel } from "./program/model";
import { SimulatedService } from "./service";
import { plainState } from "./state-view";
import { Timeline } from "./timeline";
import { fair, type Fault, holdOutlasting, RunTroubles, type Trouble } from "./trouble";
import { hold } from "./violation";

/** A second passes around each edit of others: the service's `updated_at` cannot show edits of the same second. */
const EDIT_MS = 1_000;
const CHANCES = { way: 1, backoff: 2, ids: 3, service: 4 } as const;

/** What a host makes of an error that the provider does not know. */
const UNEXPECTED = /\bunexpected \w+.*Please report it/u;

export interface RunRequest {
  readonly kind: RunFacts["kind"];
  readonly model: ProgramModel;
  readonly troubles?: readonly Trouble[];
  readonly targets?: readonly string[] | undefined;
}

/** One world: a service, its people, a stack, and the network between them. */
export class Simulation {
  readonly history: History;
  readonly timeline = new Timeline();
  readonly service: SimulatedService;
  /** Holds every request, answer and stored state against the promises. */
  readonly judge: { readonly requests: RequestJudge; readonly states: StateJudge; readonly builds: BuildJudge };
  /** One line for each thing that happened: the same for the same history. */
  readonly journal: string[] = [];
  /**
   * Environments and names of which the provider cannot know: a request whose caller had given up by then, more trouble than one fault in a
   * run, an environment that was deleted for a while.
   */
  readonly murky = new Set<string>();
  readonly engine: EngineModel;
  readonly scene: Scene;
  readonly #log = new LogBook();
  readonly #leaks: Leaks;
  /** How many lines of the log were searched, and the addresses that were not. */
  #searched = 0;
  #paths: string[] = [];
  /** Resources that the engine has imported in this run, before any step of their own. */
  readonly #notTakenOver = new Set<string>();
  readonly #processes: Processes;
  #troubles: RunTroubles;

  constructor(history: History) {
    this.history = history;
    const chance = (stream: number): Chance => new Chance(history.seed * 31 + stream);
    this.service = new SimulatedService(history.choices, this.timeline, chance(CHANCES.service));
    this.#leaks = new Leaks(this.service);
    this.#troubles = this.#meet([]);
    const { timeline } = this;
    const { endpoint } = this.service;
    const observer: Observer = {
      leaving: (request) => this.#leaving(request),
      fault: (request) => this.#fault(request),
      arrived: (request) => this.#arrived(request),
      acted: (request, reply) => this.#acted(request, reply),
      answered: (request, reply) => this.#answered(request, reply),
    };
    const network = new VirtualNetwork({ timeline, chance: chance(CHANCES.way), endpoint, observer });
    const [backoff, ids] = [chance(CHANCES.backoff), chance(CHANCES.ids)];
    const host = simulatedHosts[history.host];
    this.#processes = new Processes({ history, host, timeline, network, log: this.#log, backoff, ids });
    this.engine = new EngineModel((phase) => this.#processes.start(phase), {
      checked: (name) => void this.scene.run.checked.add(name),
      decided: (name) => void this.scene.run.decided.add(name),
      begins: (name, operation, before) => this.#begins(name, operation, before),
    });
    this.scene = new Scene(history, this.service, this.engine);
    const builds = new BuildJudge(this.scene);
    const requests = new RequestJudge(this.scene, builds);
    this.judge = { builds, requests, states: new StateJudge(this.scene, builds, requests, this.murky) };
  }

  /** Runs the engine, with trouble on the way, until the run has ended. */
  async run(request: RunRequest, act: (engine: EngineModel) => Promise<Run>): Promise<Run> {
    const { kind, model, troubles = [], targets } = request;
    this.#leaks.noteDeclared(model);
    // Within one second, `updated_at` cannot tell one write of a hidden value from the next.
    this.timeline.skip(EDIT_MS);
    const met = this.#meet(troubles);
    this.#troubles = met;
    this.#processes.begin();
    this.scene.begin({ kind, model, troubles, isTraceable: met.isTraceable, targets });
    this.judge.requests.begin();
    this.#note(`run ${kind}`);
    const run = await this.timeline.run(act(this.engine));
    for (const error of run.errors) {
      this.#note(`error ${error}`);
      hold(!UNEXPECTED.test(error), "expected", () => error);
    }
    // The run ended between an import and the step that takes over what the program declares (docs/limits.md).
    if (this.#notTakenOver.size > 0) this.judge.requests.forgetImports();
    this.#notTakenOver.clear();
    if (!run.crashed) this.judge.states.ended();
    this.#troubles = this.#meet([]);
    holdOutlasting(this.history.settings, troubles, met.met, run.errors);
    this.#search(run);
    return run;
  }

  /** Errors, addresses, the log and what of state is no secret, since the last search. */
  #search({ errors }: Run): void {
    const lines = this.#log.lines.slice(this.#searched).map(({ text }) => text);
    this.#searched = this.#log.lines.length;
    // A look shows what the service shows to everybody, and nothing else.
    const managed = [...this.engine.state.values()].filter(({ isExternal }) => isExternal !== true);
    this.#leaks.search([...errors, ...this.#paths, ...lines, ...managed.map(plainState)]);
    this.#paths = [];
  }

  #meet(troubles: readonly Trouble[]): RunTroubles {
    return new RunTroubles(troubles, this.service.environmentIds);
  }

  foreign(act: Foreign): void {
    this.timeline.skip(EDIT_MS);
    this.#note(`others ${JSON.stringify(act)}`);
    const { environmentIds, ledger, world } = this.service;
    const id = "on" in act ? (environmentIds[act.on] ?? "") : "";
    this.scene.run.others = true;
    if (act.act === "branch") this.scene.run.switched.add(id);
    this.#leaks.noteForeign(act, (...known) => this.judge.requests.isDeclared(...known));
    if (act.act === "flags" && act.flags.deleted === true && this.service.exists(id))
      for (const { name } of world.variables(id)) this.murky.add(keyOf(id, name));
    this.service.perform(act);
    for (const one of environmentIds) {
      for (const name of ledger.note(one, "others")) this.scene.run.touched.add(keyOf(one, name));
      if (this.service.isGone(one)) this.scene.run.gone.add(one);
    }
    this.timeline.skip(EDIT_MS);
  }

  /** Lets time pass. What is under way comes to its end. */
  async wait(seconds: number): Promise<void> {
    await this.timeline.run(this.timeline.sleep(seconds * 1000));
  }

  #begins(name: string, operation: Operation, before: Stored | undefined): OperationWitness {
    const { moment } = this.service.ledger;
    this.scene.run.operations.set(name, operation);
    this.#notTakenOver.delete(name);
    if (operation === "delete" && before !== undefined) this.scene.run.leaving.add(before);
    return {
      ended: (after, marked) => {
        this.#note(`${operation} ${name}: ${JSON.stringify(after?.outputs)}`);
        if (operation === "import") {
          if (after !== undefined) {
            this.judge.requests.imported(after);
            // The engine keeps what the import has read as inputs, as the service shows it, also when the update after it fails.
            this.#leaks.noteShown(String(after.outputs["environmentId"]));
          }
          this.#notTakenOver.add(name);
          return;
        }
        if (after === undefined || operation !== "same")
          this.#judged(() => this.judge.states.stored({ name, operation, before, after, marked, startMoment: moment }));
      },
      failed: () => this.#judged(() => this.judge.states.remembered(name, before, moment)),
    };
  }

  #leaving(request: SimulatedRequest): boolean {
    this.#note(`#${request.index} ${request.label} ${request.names.join(",")}`);
    this.#paths.push(request.path);
    for (const what of this.#troubles.beginning(request))
      if (what.kind === "crash" && what.when === "before") {
        this.#crash(request, what.who);
        return false;
      }
    this.#cancelAt(request, undefined);
    if (this.#troubles.isMurky(request.environmentId))
      for (const name of request.names) this.murky.add(keyOf(request.environmentId, name));
    this.#judged(() => this.judge.requests.leaving(request));
    return true;
  }

  /** Somebody cancels if that is the trouble at this point of a request. */
  #cancelAt(request: SimulatedRequest, when: "acted" | "answered" | undefined): void {
    const isNow = this.#troubles.beginning(request).some((what) => what.kind === "cancel" && what.when === when);
    // A dynamic provider is not told.
    if (!isNow || this.history.host === "dynamic") return;
    this.#note("cancel");
    const { controller } = this.#processes;
    // After this request: it is on its way.
    this.timeline.after(0, () => {
      this.judge.requests.cancelled(request.process.run);
      controller.abort();
    });
  }

  #crash({ process }: SimulatedRequest, who: Death): void {
    this.#note(`crash of the ${who}`);
    this.judge.requests.forgetImports();
    this.#processes.crash(process, who);
  }

  #fault(request: SimulatedRequest): Fault | undefined {
    const fault = this.#troubles.fault(request);
    if (fault === undefined) return undefined;
    this.#note(`fault ${JSON.stringify(fault)}`);
    if (fault.kind === "refused") this.judge.requests.unsent(request);
    return fair(fault, request.label, this.service.isGone(request.environmentId));
  }

  #arrived(request: SimulatedRequest): void {
    for (const what of this.#troubles.beginning(request)) if (what.kind === "foreign") this.foreign(what.act);
  }

  #acted(request: SimulatedRequest, reply: Reply): void {
    const { environmentId, isStray, label } = request;
    this.#note(`#${request.index} acted ${reply.status}${isStray ? " stray" : ""}`);
    this.#judged(() => this.judge.requests.acting(request, reply));
    // What an earlier run sent too late is like somebody else's doing.
    if (request.process.run !== this.#processes.runs) this.scene.run.others = true;
    if (this.history.choices.upsertOfExisting === "valueOnly") this.#leaks.noteShown(environmentId);
    if (!label.startsWith("GET "))
      for (const name of this.service.ledger.note(environmentId, "provider"))
        if (isStray) {
          this.scene.run.touched.add(keyOf(environmentId, name));
          if (this.judge.requests.isToBeKnown(request)) this.#judged(() => this.judge.requests.late(request, name));
          else this.murky.add(keyOf(environmentId, name));
        }
    this.#cancelAt(request, "acted");
    for (const what of this.#troubles.beginning(request))
      if (what.kind === "crash" && what.when === "after") this.#crash(request, what.who);
  }

  #answered(request: SimulatedRequest, answer: Delivered): void {
    this.#note(`#${request.index} ${answer.status}`);
    this.#judged(() => this.judge.requests.answered(request, answer, this.timeline.now()));
    this.#cancelAt(request, "answered");
  }

  /** What calls the judge may swallow what it throws. */
  #judged(judgement: () => void): void {
    try {
      judgement();
    } catch (error) {
      this.timeline.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #note(line: string): void {
    this.journal.push(`${this.timeline.now()} ${this.#processes.runs} ${line}`);
  }
}

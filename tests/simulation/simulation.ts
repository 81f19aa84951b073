import { defaultChoices } from "../../provider/src/sandbox";
import type { Reply } from "../../provider/src/sandbox/http/router";
import { addEnvironment } from "../../provider/src/sandbox/domain/seed";
import { Service } from "../../provider/src/sandbox/http/service";
import { Store } from "../../provider/src/sandbox/domain/store";
import { World } from "../../provider/src/sandbox/domain/world";
import { LogBook } from "../support/log-book";
import type { Host } from "../support/host";
import { Chance } from "./chance";
import { EngineModel } from "../support/engine-model";
import type { Operation, OperationWitness, Run, Stored } from "../support/engine-steps";
import { Excuses } from "./excuses";
import { type Foreign, perform } from "./foreign";
import type { History } from "./history";
import { hearsCancellation, marksSecrets } from "./hosts";
import { BuildJudge } from "./judge/builds";
import { RequestJudge } from "./judge/requests";
import { factsOf, type RunFacts, Scene } from "./judge/scene";
import { StateJudge } from "./judge/states";
import { keyOf, Ledger } from "./ledger";
import { type Delivered, type SimulatedRequest, VirtualNetwork } from "./network";
import type { Death } from "./process";
import { Processes } from "./processes";
import type { ProgramModel } from "./program/model";
import { conditionsOf, ENVIRONMENTS, isAsleep, isGone, seedOf } from "./environments";
import { Timeline } from "./timeline";
import { fair, type Fault, holdOutlasting, RunTroubles, type Trouble } from "./trouble";

const TOKEN = "t0ken-of-the-simulation";
const BASE_URL = "https://service.invalid";
const BUILD_SECONDS = 20;
/** A second passes around each edit of others: the service's `updated_at` cannot show edits of the same second. */
const EDIT_MS = 1_000;
const MAX_SET_BACKS = 2;
const CHANCES = { way: 1, backoff: 2, ids: 3, service: 4 } as const;

/** What a run of the simulation is asked for. */
export interface RunRequest {
  readonly kind: RunFacts["kind"];
  readonly model: ProgramModel;
  readonly troubles?: readonly Trouble[];
  /** A name that stands in the program without a value. */
  readonly blank?: string | undefined;
  readonly targets?: readonly string[] | undefined;
}

/** One world: a service, its people, a stack, and the network between them. */
export class Simulation {
  readonly timeline = new Timeline();
  readonly world: World;
  readonly ledger: Ledger;
  /** Holds every request, answer and stored state against the promises. */
  readonly judge: { readonly requests: RequestJudge; readonly states: StateJudge; readonly builds: BuildJudge };
  readonly log = new LogBook();
  /** One line for each thing that happened: the same for the same history. */
  readonly journal: string[] = [];
  /** Addresses of all requests. */
  readonly paths: string[] = [];
  readonly environmentIds: readonly string[];
  readonly excuses: Excuses;
  readonly engine: EngineModel;
  readonly #history: History;
  readonly #host: Host;
  /** Resources that the engine has imported in this run, before any step of their own. */
  readonly #notTakenOver = new Set<string>();
  readonly #tokens = new Set([TOKEN]);
  readonly #processes: Processes;
  readonly #scene: Scene;
  #facts: RunFacts | undefined;
  #troubles: RunTroubles;
  readonly #store: Store;
  /** How far the service's clock has gone back. */
  #behindMs = 0;
  #setBacks = 0;

  constructor(history: History, host: Host) {
    this.#history = history;
    this.#host = host;
    const chance = (stream: number): Chance => new Chance(history.seed * 31 + stream);
    const serviceIds = chance(CHANCES.service);
    const store = new Store({
      clock: { now: () => this.timeline.now() - this.#behindMs },
      buildSeconds: BUILD_SECONDS,
      choices: { ...defaultChoices, ...history.choices },
      newId: () => serviceIds.uuid(),
    });
    this.#store = store;
    this.environmentIds = ENVIRONMENTS.map((name) => addEnvironment(store, seedOf(name)).id);
    this.#troubles = new RunTroubles([], this.environmentIds);
    this.world = new World(store);
    this.ledger = new Ledger(this.world, this.environmentIds);
    const network = new VirtualNetwork(this.timeline, chance(CHANCES.way), new Service(store, this.#tokens), {
      leaving: (request) => this.#leaving(request),
      fault: (request) => this.#fault(request),
      arrived: (request) => this.#arrived(request),
      acted: (request, reply) => this.#acted(request, reply),
      answered: (request, reply) => this.#answered(request, reply),
    });
    this.#processes = new Processes({
      history,
      host,
      address: { baseUrl: BASE_URL, token: TOKEN },
      timeline: this.timeline,
      network,
      log: this.log,
      backoff: chance(CHANCES.backoff),
      ids: chance(CHANCES.ids),
    });
    this.#scene = new Scene({
      ledger: this.ledger,
      environmentIds: this.environmentIds,
      engine: () => this.engine,
      nowMs: () => this.timeline.now(),
      exists: (id) => this.world.environments.get(id) !== undefined,
      marksSecrets: marksSecrets(host),
      isAsleep: (id) => isAsleep(this.world, id),
      builds: (id) => (this.world.environments.get(id) === undefined ? [] : this.world.builds(id)),
      batchSize: history.settings.batchSize,
      hasSilentWrites: history.choices.updatedAtOnEqualWrite === false,
      leave: (key) => void this.excuses.murky.add(key),
      showsBranchesAtOnce: history.choices.branchesShown !== "afterBuild",
      branchesOf: (id) => this.world.environments.get(id)?.projects ?? [],
    });
    const builds = new BuildJudge(this.#scene);
    const requests = new RequestJudge(this.#scene, builds);
    this.judge = { builds, requests, states: new StateJudge(this.#scene, builds, requests) };
    this.excuses = new Excuses(this.world, (id, name, value) => this.judge.requests.isDeclared(id, name, value));
    this.engine = new EngineModel((phase) => this.#processes.start(phase), {
      checked: (name) => this.#shown(name, "checked"),
      decided: (name) => this.#shown(name, "decided"),
      begins: (name, operation, before) => this.#begins(name, operation, before),
    });
  }

  /** Runs the engine, with trouble on the way, until the run has ended. */
  async run(request: RunRequest, act: (engine: EngineModel) => Promise<Run>): Promise<Run> {
    const { kind, model, troubles = [], blank, targets } = request;
    // Within one second, `updated_at` cannot tell one write of a hidden value from the next.
    this.timeline.skip(EDIT_MS);
    const met = new RunTroubles(troubles, this.environmentIds);
    this.#troubles = met;
    this.#facts = factsOf({
      kind,
      model,
      startMoment: this.ledger.moment,
      ...conditionsOf(this.world, this.environmentIds),
      isTraceable: met.isTraceable,
      isCalm: troubles.length === 0,
      isUnrouted: troubles.some(({ what }) => what.kind === "unrouted"),
      blank,
      targets,
    });
    this.#processes.begin();
    this.#scene.begin(this.#facts);
    this.judge.requests.begin();
    this.#note(`run ${kind}`);
    const run = await this.timeline.run(act(this.engine));
    for (const error of run.errors) this.#note(`error ${error}`);
    // The run ended between an import and the step that takes over what the program declares (docs/limits.md).
    if (this.#notTakenOver.size > 0) this.judge.requests.forgetImports();
    this.#notTakenOver.clear();
    if (!run.crashed) this.judge.states.ended();
    this.#troubles = new RunTroubles([], this.environmentIds);
    holdOutlasting(this.#history.settings, troubles, met.met, run.errors);
    return run;
  }

  /** Somebody else does something. */
  foreign(act: Foreign): void {
    this.timeline.skip(EDIT_MS);
    this.#note(`others ${JSON.stringify(act)}`);
    if (this.#facts !== undefined) this.#facts.others = true;
    if (act.act === "revokeToken") this.#tokens.clear();
    if (act.act === "grantToken") this.#tokens.add(TOKEN);
    if (act.act === "clock") this.#setBack(act.seconds);
    if (act.act === "branch" && this.#facts !== undefined) this.#facts.switched.add(this.environmentIds[act.on] ?? "");
    const id = "on" in act ? (this.environmentIds[act.on] ?? "") : "";
    this.excuses.note(id, act);
    perform(this.world, this.environmentIds, act);
    for (const one of this.environmentIds) {
      for (const name of this.ledger.note(one, "others")) this.#facts?.touched.add(keyOf(one, name));
      if (isGone(this.world, one)) this.#facts?.gone.add(one);
    }
    this.timeline.skip(EDIT_MS);
  }

  /** Builds that run end first, since they would wait for their time to come again. */
  #setBack(seconds: number): void {
    for (const id of this.environmentIds)
      if (this.world.environments.get(id) !== undefined) this.world.finishBuilds(id);
    // Of a page of builds that goes back in time again and again, nobody can tell the order.
    if (this.#setBacks === MAX_SET_BACKS) return;
    this.#setBacks += 1;
    this.#behindMs += seconds * EDIT_MS;
    this.#store.lastQueuedMicros = 0;
  }

  /** Environments whose next build, which has not begun yet, is going to fail: counted from 0. */
  doomed(): readonly number[] {
    return this.environmentIds.flatMap((id, on) => (this.excuses.isDoomed(id) ? [on] : []));
  }

  /** Whether the service takes the token. */
  get hasToken(): boolean {
    return this.#tokens.size > 0;
  }

  /** Whether resources of two Providers have a name, or declare it, in the run that was the last. */
  isBetweenProviders(environmentId: string, name: string): boolean {
    return this.#scene.isBetweenProviders(environmentId, name);
  }

  /** Environments that the service lists: counted from 0. */
  get listed(): readonly number[] {
    return this.environmentIds.flatMap((id, index) => (isGone(this.world, id) ? [] : [index]));
  }

  /** Lets time pass. What is under way comes to its end. */
  async wait(seconds: number): Promise<void> {
    await this.timeline.run(this.timeline.sleep(seconds * 1000));
  }

  /** The provider was asked about a resource. */
  #shown(name: string, what: "checked" | "decided"): void {
    this.#facts?.[what].add(name);
  }

  #begins(name: string, operation: Operation, before: Stored | undefined): OperationWitness {
    const { moment } = this.ledger;
    this.#facts?.operations.set(name, operation);
    this.#notTakenOver.delete(name);
    if (operation === "delete" && before !== undefined) this.#facts?.leaving.add(before);
    return {
      ended: (after, marked) => {
        this.#note(`${operation} ${name}: ${JSON.stringify(after?.outputs)}`);
        const hasFailed = operation !== "refresh" && after !== undefined && after.initErrors.length > 0;
        if (hasFailed) this.#facts?.failed.add(name);
        if (operation === "import") {
          if (after !== undefined) this.judge.requests.imported(after);
          this.#notTakenOver.add(name);
          return;
        }
        if (after === undefined || operation !== "same")
          this.#judged(() => this.judge.states.stored({ name, operation, before, after, marked, startMoment: moment }));
      },
      failed: () => {
        this.#facts?.failed.add(name);
        this.#judged(() => this.judge.states.failed(name, before, moment));
      },
    };
  }

  #leaving(request: SimulatedRequest): boolean {
    this.#note(`#${request.index} ${request.label} ${request.names.join(",")}`);
    this.paths.push(request.path);
    for (const what of this.#troubles.beginning(request))
      if (what.kind === "crash" && what.when === "before") {
        this.#crash(request, what.who);
        return false;
      }
    this.#cancelAt(request, undefined);
    if (this.#troubles.isMurky(request.environmentId))
      for (const name of request.names) this.excuses.murky.add(keyOf(request.environmentId, name));
    this.#judged(() => this.judge.requests.leaving(request));
    return true;
  }

  /** Somebody cancels if that is the trouble at this point of a request. */
  #cancelAt(request: SimulatedRequest, when: "acted" | "answered" | undefined): void {
    const isNow = this.#troubles.beginning(request).some((what) => what.kind === "cancel" && what.when === when);
    if (!isNow || !hearsCancellation(this.#host)) return;
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
    return fair(fault, request.label, isGone(this.world, request.environmentId));
  }

  #arrived(request: SimulatedRequest): void {
    for (const what of this.#troubles.beginning(request)) if (what.kind === "foreign") this.foreign(what.act);
  }

  #acted(request: SimulatedRequest, reply: Reply): void {
    const { environmentId, isStray, label } = request;
    this.#note(`#${request.index} acted ${reply.status}${isStray ? " stray" : ""}`);
    this.#judged(() => this.judge.requests.acting(request, reply));
    // What an earlier run sent too late is like somebody else's doing.
    if (request.process.run !== this.#processes.runs && this.#facts !== undefined) this.#facts.others = true;
    if (this.#history.choices.upsertOfExisting === "valueOnly") this.excuses.noteShown(environmentId);
    if (!label.startsWith("GET "))
      for (const name of this.ledger.note(environmentId, "provider"))
        if (isStray) {
          this.#facts?.touched.add(keyOf(environmentId, name));
          if (this.judge.requests.isToBeKnown(request)) this.#judged(() => this.judge.requests.late(request, name));
          else this.excuses.murky.add(keyOf(environmentId, name));
        }
    this.#cancelAt(request, "acted");
    for (const what of this.#troubles.beginning(request))
      if (what.kind === "crash" && what.when === "after") this.#crash(request, what.who);
  }

  #answered(request: SimulatedRequest, answer: Delivered): void {
    this.#note(`#${request.index} ${answer.status}`);
    this.#judged(() => this.judge.requests.answered(request, answer));
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

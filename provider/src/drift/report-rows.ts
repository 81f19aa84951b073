import { escapeUnseen } from "../client/error-text";
import { UNFINISHED_DETAIL } from "./changes";
import { OR_GONE } from "./drift-items";
import { BRANCHES } from "./engine-event";
import { OWED, UNCHANGED_BY_UPDATE, UNREACHED, UNWRITTEN } from "./heal";
import { IGNORED } from "./plan";
import { UNLISTED } from "./program";
import type { BuildItem, DriftItem, Report, StackReport } from "./report-schema";

/** How many names of stacks that are in sync a report lists. */
const MAX_NAMES = 20;

/** The reader puts in the stack: without a name, Pulumi takes the selected one, which may be another. */
const UP = "`pulumi up --refresh --stack STACK`";
const HEAL = "`npx pulumi-previewenv drift --heal`";

const HINTS = {
  organization:
    "First check that the token and the address are those of the environment's organization: with others, every environment seems gone.",
  drift: `Restore it: ${HEAL} with the same options, or ${UP}.`,
  unwritten:
    "Where an update could not be previewed or started, nothing was written: correct what the error says, then run the same command again.",
  unreached:
    "Where an update ended before or while it wrote a resource, run `pulumi up --stack STACK`: state may already hold the drifted values.",
  unfinished: `Finish the last update: ${UP}.`,
  gone:
    `If the program finds the environment by filters, and there is a new one, run ${UP}. Otherwise, remove what is gone from ` +
    `the program (a \`PreviewEnvironments\` does that itself), then run ${UP}. If the stack has nothing else, run ` +
    "`pulumi destroy --stack STACK` instead.",
  owed: `A build is postponed: ${UP} requests it once the environment runs.`,
  unlisted:
    "If the service's list lacks an environment for a moment only, check again later: `pulumi up` would take that environment out of state.",
  unchanged: "Where an update changed nothing, somebody else may have restored it: check again.",
  left: `Restore the rest and deploy the program: ${UP}.`,
  beside: "Beside what is ignored, restore and build the rest by hand, or remove the entry from `--ignore`.",
  ignored: "A `pulumi up`, also without `--refresh`, may also restore what is ignored.",
  locked: "Name the stack: `pulumi cancel --stack STACK`. Otherwise, Pulumi takes the selected one.",
} as const;

/** One line about a resource. */
export interface Row {
  readonly resource: string;
  readonly type: string;
  /** A variable or a repository. Empty when the line is about the whole resource. */
  readonly name: string;
  readonly kind: string;
  /** Everything else there is to say, in pieces. */
  readonly facts: readonly string[];
}

/** The lines about one environment. */
export interface EnvironmentRows {
  /** Its name, or its id when no resource of the stack has the name. */
  readonly title: string;
  readonly url: string | undefined;
  readonly rows: readonly Row[];
}

/** The lines about some differences and builds of a stack, by environment. */
export function rowsOf(items: readonly (DriftItem | BuildItem)[]): readonly EnvironmentRows[] {
  const byEnvironment = Map.groupBy(items, ({ environmentId = "" }) => environmentId);
  const environments = [...byEnvironment].map(([id, group]) => ({
    title: group[0]?.environmentName ?? id,
    url: group[0]?.environmentUrl,
    rows: group.map((item) => ("kind" in item ? rowOfDifference(item) : rowOfBuild(item))),
  }));
  return environments.toSorted((left, right) => (left.title < right.title ? -1 : 1));
}

function rowOfDifference(item: DriftItem): Row {
  const { resource, type, name = "", kind, detail, since, restored, reason } = item;
  const result = restored === true ? "restored" : because("not restored", reason);
  const facts = [detail, since && `since ${since}`, restored === undefined ? undefined : result];
  return { resource, type, name, kind, facts: facts.filter((fact) => fact !== undefined) };
}

function rowOfBuild({ resource, type, id, result, reason }: BuildItem): Row {
  const end = because(result === "failed" ? "did not succeed" : result, reason);
  return {
    resource,
    type,
    name: "",
    kind: type === BRANCHES ? "build" : "action",
    facts: id === undefined ? [end] : [id, end],
  };
}

function because(what: string, reason: string | undefined): string {
  return reason === undefined ? what : `${what}: ${reason}`;
}

/** Whether there is something to say about a stack. */
export function isTold({ drift, builds, errors }: StackReport): boolean {
  return drift.length > 0 || builds.length > 0 || errors.length > 0;
}

/** How a stack is: `drift, 2 ignored`. */
export function statusOf({ status, ignored }: StackReport): string {
  return ignored.length === 0 ? status : `${status}, ${ignored.length} ignored`;
}

/**
 * The stacks in numbers: `3 stacks: 1 in sync, 2 drift. 4 differences, 1 ignored.`
 * @param code writes a text that comes from the service
 */
export function countsOf(
  { stacks, drifted, restored, ignored, backend }: Report,
  code: (text: string) => string,
): string {
  if (backend !== undefined) return `This project has no stack in ${code(backend)}.`;
  const byStatus = Map.groupBy(stacks, ({ status }) => status);
  const statuses = [...byStatus].map(([status, { length }]) => `${length} ${status}`).join(", ");
  const counts = [plural(stacks.length, "stack"), statuses].filter(Boolean).join(": ");
  const differences = [
    drifted > 0 && plural(drifted, "difference"),
    restored > 0 && `${restored} restored`,
    ignored > 0 && `${ignored} ignored`,
  ];
  const sentences = [counts, differences.filter(Boolean).join(", ")].filter(Boolean);
  return sentences.map((sentence) => `${sentence}.`).join(" ");
}

/** A number of things: `1 stack`, `2 stacks`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** The first of these names, and how many there are more. */
export function someOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return [...names.slice(0, MAX_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** Advice, a sentence each. */
export function hintsOf({ stacks }: Report): readonly string[] {
  const hints = new Set(stacks.flatMap(hintsOfStack));
  return Object.values(HINTS).filter((hint) => hints.has(hint));
}

function hintsOfStack(report: StackReport): readonly string[] {
  const { ignored, errors } = report;
  const hints = adviceFor(report);
  return [
    ...hints,
    ...(ignored.length > 0 && [...hints, ...errors].length > 0 ? [HINTS.ignored] : []),
    ...(errors.some((error) => error.includes("`pulumi cancel`")) ? [HINTS.locked] : []),
  ];
}

function adviceFor({ drift, builds, errors }: StackReport): readonly string[] {
  if (drift.some(({ reason }) => reason === UNWRITTEN)) return [HINTS.unwritten];
  if (errors.length > 0 && drift.some(({ restored }) => restored !== undefined))
    return [drift.some(({ reason }) => reason === UNREACHED) ? HINTS.unreached : HINTS.unfinished];
  const open = drift.filter(({ restored }) => restored !== true);
  const hints = [...open.flatMap(hintsOfDifference), ...builds.flatMap(hintsOfBuild)];
  // The error says what to do. Before that, `--heal` may restore nothing.
  return errors.length === 0 ? hints : hints.filter((hint) => hint !== HINTS.drift);
}

/** A service answers alike for an environment that is gone, and for one of another organization. What a hint advises then would forget it. */
function hintsOfDifference(item: DriftItem): readonly string[] {
  const maySeemGone = item.kind === "gone" || item.detail === OR_GONE;
  return [...(maySeemGone ? [HINTS.organization] : []), hintOfDifference(item)];
}

function hintOfDifference({ kind, detail, restored, reason }: DriftItem): string {
  if (kind === "gone") return HINTS.gone;
  if (detail === UNFINISHED_DETAIL) return HINTS.unfinished;
  if (reason === OWED) return HINTS.owed;
  if (reason === UNLISTED) return HINTS.unlisted;
  if (reason === UNCHANGED_BY_UPDATE) return HINTS.unchanged;
  if (reason?.startsWith(IGNORED)) return HINTS.beside;
  return restored === undefined ? HINTS.drift : HINTS.left;
}

function hintsOfBuild({ result, reason }: BuildItem): readonly string[] {
  if (result === "owed") return [HINTS.owed];
  if (reason === UNLISTED) return [HINTS.unlisted];
  if (reason?.startsWith(IGNORED)) return [HINTS.beside];
  return result === "not started" ? [HINTS.left] : [];
}

/** The lines of an error. A line of the engine's text is a line here. Nothing within it acts upon the terminal. */
export function linesOf(error: string): readonly string[] {
  return error.split(/\r?\n/u).map((line) => escapeUnseen(line.replaceAll("\t", "  ")));
}

import type { EnvironmentState } from "../../control/answers";
import { order } from "./control";
import { fill, fromTemplate, mark, type Tone, onPress, part, showTime, sync, write } from "./elements";

type Build = EnvironmentState["builds"][number];

const OUTCOMES: Readonly<Record<Build["outcome"], readonly [string, Tone]>> = {
  inFlight: ["building", "busy"],
  succeeded: ["succeeded", "good"],
  failed: ["failed", "bad"],
};
const BUILDS_SHOWN = 4;
const SHORT_ID = 8;
const SLOW_SECONDS = 60;

/** The buttons that steer builds. */
export function prepareBuilds(card: HTMLElement, { id, name }: EnvironmentState): void {
  const button = (partName: string, text: string, change: object, said: string) =>
    onPress(part(card, partName), text, () => order("POST", "builds", { environmentId: id, ...change }, said));
  button("queue", `Build now: ${name}`, { queue: true }, `Queued a build of ${name}`);
  button("finish", `Finish the build of ${name}`, { finish: true }, `Finished the build of ${name}`);
  button("fail", `Fail the next build of ${name}`, { failNext: true }, `The next build of ${name} will fail`);
  const slow = `The next build of ${name} will take ${SLOW_SECONDS} seconds`;
  button("slow", `Slow next build: ${SLOW_SECONDS} s for ${name}`, { slowNextSeconds: SLOW_SECONDS }, slow);
  button(
    "reset",
    `As usual: the next build of ${name}`,
    { resetNext: true },
    `The next build of ${name} goes as usual`,
  );
}

/** Shows the newest builds, and how the next one goes when not as usual. */
export function updateBuilds(card: HTMLElement, { builds, nextBuild }: EnvironmentState): void {
  write(part(card, "build-count"), `(${builds.length})`);
  sync(part(card, "builds"), builds.slice(0, BUILDS_SHOWN), {
    kind: HTMLLIElement,
    key: (build) => build.id,
    create: () => fromTemplate("build", HTMLLIElement),
    update: updateBuild,
  });
  part(card, "finish", HTMLButtonElement).disabled = builds[0]?.outcome !== "inFlight";
  const { fails = false, seconds } = nextBuild;
  const effects = [...(fails ? ["fails"] : []), ...(seconds === undefined ? [] : [`takes ${seconds} s`])];
  part(card, "next-build").hidden = effects.length === 0;
  write(part(card, "next-build-text"), `The next build ${effects.join(" and ")}.`);
}

function updateBuild(row: HTMLElement, { id, outcome, queuedAt }: Build): void {
  mark(part(row, "outcome"), ...OUTCOMES[outcome]);
  fill(row, { id: id.slice(0, SHORT_ID) });
  showTime(part(row, "queued"), queuedAt);
}

import type * as fc from "fast-check";
import type { HistoryStep } from "../history";
import {
  deletingFirst,
  failingProgram,
  fleet,
  importing,
  leftOut,
  protecting,
  reconfigured,
  valueless,
} from "./commands";
import { getting } from "./looks";
import { doubled, heldTwice, importedAnew, merging } from "./moves";
import { lacking } from "./previews";
import { providers } from "./providers";
import { behindOthers, changingBack, clockBack, lostDeeds, puttingBack, started } from "./builds";
import { killedWrite, secondWriter, unrouted } from "./writers";

/** A kind of danger, and how often it is in a history. */
interface Kind {
  readonly arbitrary: fc.Arbitrary<HistoryStep[]>;
  weight: number;
}

/** Dangers that come from the program, from what the engine can do, and from others beside this stack. */
const kinds: Readonly<Record<string, Kind>> = {
  secondWriter: { weight: 2, arbitrary: secondWriter },
  killedWrite: { weight: 1, arbitrary: killedWrite },
  unrouted: { weight: 1, arbitrary: unrouted },
  deletingFirst: { weight: 1, arbitrary: deletingFirst },
  fleet: { weight: 1, arbitrary: fleet },
  leftOut: { weight: 1, arbitrary: leftOut },
  failingProgram: { weight: 1, arbitrary: failingProgram },
  valueless: { weight: 1, arbitrary: valueless },
  lacking: { weight: 1, arbitrary: lacking },
  importing: { weight: 1, arbitrary: importing },
  protecting: { weight: 1, arbitrary: protecting },
  puttingBack: { weight: 1, arbitrary: puttingBack },
  clockBack: { weight: 1, arbitrary: clockBack },
  started: { weight: 1, arbitrary: started },
  behindOthers: { weight: 1, arbitrary: behindOthers },
  changingBack: { weight: 1, arbitrary: changingBack },
  heldTwice: { weight: 1, arbitrary: heldTwice },
  merging: { weight: 1, arbitrary: merging },
  doubled: { weight: 1, arbitrary: doubled },
  importedAnew: { weight: 1, arbitrary: importedAnew },
  reconfigured: { weight: 1, arbitrary: reconfigured },
  providers: { weight: 2, arbitrary: providers },
  getting: { weight: 1, arbitrary: getting },
  lostDeeds: { weight: 1, arbitrary: lostDeeds },
};

/** Those that are on. */
export function dangers(): readonly Kind[] {
  return Object.values(kinds).filter(({ weight }) => weight > 0);
}

/** Leaves all but one of the kinds out, to see what that one finds. @throws for a name of none */
export function only(name: string): void {
  const chosen = kinds[name];
  if (chosen === undefined) throw new Error(`no kind ${name}; there are ${Object.keys(kinds).join(", ")}`);
  for (const kind of Object.values(kinds)) kind.weight = kind === chosen ? 30 : 0;
}

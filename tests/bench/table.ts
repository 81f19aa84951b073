import { type Contender, contenders, floorOf } from "./contenders";
import { describeRequests, inMiB, inSeconds, table } from "./report";
import type { Comparison, Figure } from "./results";

const BYTES_PER_KB = 1000;
const NOTHING = "-";
const RATIO_DIGITS = 3;
const HEADS = ["variables", "operation"];

/** CPU time, with ratios: the table of docs/guides/costs.md. */
export function cpuTable(comparisons: readonly Comparison[]): string {
  const shown = shownIn(comparisons);
  const compared = shown.filter((contender) => floorOf[contender] !== undefined);
  const rows = comparisons.map((comparison) => [
    ...whereOf(comparison),
    ...shown.map((contender) => cell(comparison.figures[contender], ({ cpuMs }) => inSeconds(cpuMs))),
    ...compared.map((contender) => comparison.ratios[contender]?.toFixed(RATIO_DIGITS) ?? NOTHING),
  ]);
  return table([...HEADS, ...shown, ...compared.map((contender) => `${contender} / ${floorOf[contender]}`)], rows);
}

/** All else that was measured. */
export function otherTables(comparisons: readonly Comparison[]): readonly (readonly [title: string, body: string])[] {
  const byContender = (show: (figure: Figure) => string): string => {
    const shown = shownIn(comparisons);
    const rows = comparisons.map((comparison) => [
      ...whereOf(comparison),
      ...shown.map((contender) => cell(comparison.figures[contender], show)),
    ]);
    return table([...HEADS, ...shown], rows);
  };
  return [
    ["Wall time", byContender(({ wallMs }) => inSeconds(wallMs))],
    ["Peak memory of the provider's process", byContender(({ providerBytes }) => inMiB(providerBytes))],
    ["Peak memory of all processes", byContender(({ treeBytes }) => inMiB(treeBytes))],
    [
      "Requests",
      byContender(({ traffic: { counts, mostInFlight, connections } }) =>
        mostInFlight === 0
          ? NOTHING
          : `${describeRequests(counts)} (${mostInFlight} at once, ${connections} connections)`,
      ),
    ],
    ["State", byContender(({ stateBytes }) => `${Math.round(stateBytes / BYTES_PER_KB)} KB`)],
  ];
}

/** The contenders that were measured. */
function shownIn(comparisons: readonly Comparison[]): readonly Contender[] {
  return contenders.filter((contender) => comparisons.some(({ figures }) => figures[contender] !== undefined));
}

function whereOf({ size, operation }: Comparison): readonly string[] {
  return [String(size), operation];
}

function cell(figure: Figure | undefined, show: (figure: Figure) => string): string {
  return figure === undefined ? NOTHING : show(figure);
}

import type { EnvVar } from "../client/env-vars";
import { nameList } from "../client/error-text";
import { formOf } from "./shown-value";
import { sameScope, type Variable } from "./variable";

// The specification says of a variable that exists that its value is updated. So a service may leave its visibility and its services as
// they were, and its answer says so.

const MAKE_ANEW =
  "To change that, delete it in the dashboard and run `pulumi up`, or remove its name from the program for one `pulumi up` and then declare it again.";
/** Without the way that would lose a value which only the service has. */
const CHANGE_BY_HAND = "To change that, use the dashboard.";
const DECLARE_IT = "Or declare what the service shows.";
const USE_ANOTHER = "Use another secret then, because this one could be read.";

/** In what the answer to a write shows something else than was sent, with the way out: for people, without values. */
export function contradictionOf(sent: Variable, shown: EnvVar): string | undefined {
  const isExisting = sent.kind === "existing";
  const isExposed = sent.hidden && !shown.hidden;
  const isVisible = !sent.hidden && !shown.hidden;
  const [shownTo, sentFor] = [scopeText(shown.services), scopeText(sent.services)];
  const differences = [
    ...(isExposed ? ["the service shows it to everybody"] : []),
    ...(!sent.hidden && shown.hidden ? ["the service hides it"] : []),
    ...(sameScope(sent.services, shown.services) ? [] : [`the service shows it to ${shownTo}, and not to ${sentFor}`]),
    ...(isVisible && !isExisting && formOf(sent, shown) === undefined
      ? ["the service shows another value than the one that was sent"]
      : []),
  ];
  if (differences.length === 0) return undefined;
  const advice = isExisting ? CHANGE_BY_HAND : MAKE_ANEW;
  const last = isExposed && !isExisting ? USE_ANOTHER : DECLARE_IT;
  return `${differences.join(", and ")}. ${advice} ${last}`;
}

function scopeText(services: readonly string[]): string {
  return services.length === 0 ? "every service" : nameList(services);
}

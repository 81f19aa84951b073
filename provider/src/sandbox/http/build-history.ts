import { listedBuilds } from "../domain/builds";
import { findEnvironment } from "./environments";
import { isTrue, paginate } from "./pagination";
import { renderBuild } from "./rendering";
import type { Call, Reply, Route } from "./router";
import type { Store } from "../domain/store";

/** The builds of an environment. */
export function buildHistoryRoutes(store: Store): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/api/v1/environment/:environmentId/build-history",
      label: "/build-history",
      handle: (call) => history(store, call),
    },
  ];
}

function history(store: Store, call: Call): Reply {
  const environment = findEnvironment(store, call, "Application not found!");
  const all = listedBuilds(store, environment);
  const onlySuccessful = isTrue(call.query.get("successfully_built"));
  const matching = onlySuccessful ? all.filter((build) => build.outcome === "succeeded") : all;
  const path = `/api/v1/environment/${environment.id}/build-history`;
  const { items, links } = paginate(matching, path, call.query, store.choices);
  // "When an environment has no builds, data is an empty array (instead of an object)."
  const isEmpty = all.length === 0 || (items.length === 0 && store.choices.emptyHistoryPage === "array");
  const data = isEmpty ? [] : { builds: items.map(renderBuild), name: environment.name };
  return { status: 200, json: { data, id: environment.id, type: "application", links } };
}

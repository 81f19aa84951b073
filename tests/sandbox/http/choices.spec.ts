import { expect } from "chai";
import { type SandboxOptions, SEED } from "../../../provider/src/sandbox";
import { branchChange, start } from "../caller";

const ID = SEED.shopPullRequest;
const CHANGE = branchChange(ID, { web: "feature/checkout", api: "main" });
const upsert = (...names: readonly string[]) => ({
  env_vars: names.map((name) => ({ name, value: "", hidden: false })),
});
const numbered = [1, 2, 3, 4, 5].map((number) => ({
  name: `env-${number}`,
  projects: [{ repoName: "web", branch: "main" }],
}));

/** A request, and the answer to it: its status, and what its body is like. What the specification fixes: tests/contract/service-endpoints.spec.ts. */
const rows: readonly (readonly [SandboxOptions["choices"], string, object | undefined, number, RegExp])[] = [
  [{ branchMethods: ["POST"] }, `PATCH /${ID}`, CHANGE, 405, /Method not allowed/u],
  [{ branchMethods: ["PATCH"] }, `POST /${ID}`, CHANGE, 405, /Method not allowed/u],
  [{ branchMethods: ["POST"], wrongMethodStatus: 404 }, `PATCH /${ID}`, CHANGE, 404, /Not found/u],
  [{}, `PATCH /${ID}`, CHANGE, 200, /"processing":true.*"branch":"feature\/checkout"/u],
  [{ branchChangeBody: "empty" }, `PATCH /${ID}`, CHANGE, 200, /^$/u],
  [{ branchChangeBody: "json" }, `PATCH /${ID}`, CHANGE, 200, /^\{"message":"build queued"\}$/u],
  [{}, `GET /${ID}/build-history?page=9`, undefined, 200, /"data":\[\]/u],
  [{ emptyHistoryPage: "object" }, `GET /${ID}/build-history?page=9`, undefined, 200, /"data":\{"builds":\[\]/u],
  [{ singleEnvironmentBody: "bare" }, `GET /${ID}`, undefined, 200, /^\{"id":/u],
  [{ badRequestBody: "text" }, `POST /${ID}/restart`, undefined, 400, /^Environment is not retired$/u],
  [{ badRequestBody: "empty" }, `POST /${ID}/restart`, undefined, 400, /^$/u],
  [{ linkQuery: "all" }, "GET ?page_size=2&org_name=acme", undefined, 200, /page_size=2&org_name=acme&page=2"/u],
  [{ maxPageSize: 2 }, "GET ?page_size=50", undefined, 200, /"env-2"(?!.*"env-3").*page=2"/u],
  [{}, `PUT /${ID}/env-vars`, upsert("A", "B"), 200, /^(?!.*NODE_ENV).*"A".*"B"/u],
  [{ upsertAnswer: "all" }, `PUT /${ID}/env-vars`, upsert("A", "B"), 200, /NODE_ENV.*"A".*"B"/u],
  [{ upsertAnswer: "shuffled" }, `PUT /${ID}/env-vars`, upsert("A", "B"), 200, /"B".*"A"/u],
  [{ emptyValue: "refused" }, `PUT /${ID}/env-vars`, upsert("A"), 207, /value (?:are|is) required/u],
];

describe("sandbox: choices where the specification is open", () => {
  for (const [choices = {}, request, body, status, text] of rows)
    it(`${JSON.stringify(choices)}: ${request.replace(ID, "...")} answers ${status} ${String(text)}`, async () => {
      await using fixture = await start({ choices, ...("maxPageSize" in choices && { environments: numbered }) });
      const [method = "", path = ""] = request.split(" ");
      const answer = await fixture.call(method, path, { ...(body && { body }) });
      expect(answer.status).to.equal(status);
      expect(answer.text).to.match(text);
    });
});

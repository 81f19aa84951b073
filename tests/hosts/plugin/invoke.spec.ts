import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import { functions } from "../../../provider/src/functions";
import { isMarked, leaves, unmarked } from "../../support/marked-values";
import { argumentsOf } from "../../functions/arguments";
import { failureOf, usePlugin } from "./suite";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";

const token = (name: string): string => `previewenv:index:${name}`;

describe("native plugin, functions", () => {
  const plugin = usePlugin();

  for (const { name, outputs, secret } of functions)
    it(`answer what the declaration says, marked when that says so: ${name}`, async () => {
      const id = plugin.environment({ variables: [{ name: "A", value: "1", hidden: false }] });
      const { bag, marks } = await (await plugin.begin()).invoke(token(name), unmarked(argumentsOf(name, id)));
      expect(outputs.safeParse(bag).success).to.equal(true);
      expect(leaves(bag)).not.to.deep.equal([]);
      expect(leaves(bag).every((path) => isMarked(marks, path))).to.equal(secret);
    });

  it("fail with a text that says what to do: wrong arguments, a resource, nothing found, a function of another version", async () => {
    const run = await plugin.begin();
    const wrong = await failureOf(run.invoke(token("getEnvironment"), unmarked({})));
    expect(wrong).to.include({ code: status.FAILED_PRECONDITION });
    expect(wrong.message).to.contain("give `id` or at least one filter");
    const none = await failureOf(run.invoke(token("getEnvironment"), unmarked({ name: "nothing" })));
    expect(none).to.include({ code: status.FAILED_PRECONDITION });
    expect(none.message).to.contain("no environment matched");
    const told = { name: "nothing", __secretPaths: [["name"]] };
    for (const args of [unmarked(told), { bag: { name: "nothing" }, marks: [["name"]] }]) {
      const secret = await failureOf(run.invoke(token("getEnvironment"), args));
      expect(secret.message).to.contain("environment").and.not.contain("nothing");
    }
    const reference = { [SIGNATURE]: RESOURCE, urn: "urn:x", id: "" };
    const resource = await failureOf(run.invoke(token("getEnvironment"), unmarked({ name: reference })));
    expect(resource).to.include({ code: status.FAILED_PRECONDITION });
    expect(resource.message).to.contain("getEnvironment: name is a resource. Pass one of its outputs");
    const unknown = await failureOf(run.invoke(token("getTomorrow"), unmarked({})));
    expect(unknown).to.include({ code: status.FAILED_PRECONDITION });
    expect(unknown.message).to.contain("getTomorrow").and.to.contain("install a newer one");
  });

  it("take a secret filter out of errors of the service, and leave the others readable", async () => {
    const run = await plugin.begin();
    const filters = { branch: "feature/tiger", repoName: "web", deleted: true };
    const title = "Cannot GET /api/v1/environment?branch=feature%2Ftiger: no feature/tiger of web";
    const asked = async (name: string, told: object): Promise<string> => {
      plugin.sandbox.faults.add({ label: "GET /environments", status: 400, body: { errors: [{ title }] } });
      return (await failureOf(run.invoke(token(name), unmarked({ ...filters, ...told })))).message;
    };
    for (const name of ["getEnvironment", "getEnvironments"]) {
      expect(await asked(name, { __secretPaths: [["branch"]] })).to.contain("branch=[secret]: no [secret] of web");
      expect(await asked(name, {})).to.contain(title);
    }
  });

  it("end with the run, and not after what they wait for", async () => {
    const run = await plugin.begin();
    const arrived = plugin.arrival("GET /environments");
    const waiting = failureOf(run.invoke(token("getEnvironment"), unmarked({ name: "later", waitSeconds: 600 })));
    await arrived;
    await run.cancel();
    expect((await waiting).message).to.match(/cancelled/u);
  });
});

import { expect } from "chai";
import { findResource } from "../../provider/src/resources";
import { onProcessStage, type ProcessStage } from "../support/process-stage";

const OLD = "token-OLD-0001";
const NEW = "token-NEW-0001";
const PLACEHOLDER = /^previewenv:unknown:v1:[^*]*:its write got no answer$/u;

const types = [
  ["EnvVarSet", (value: string) => ({ secrets: { S: value } })],
  ["EnvVar", (value: string) => ({ name: "S", value, hidden: true })],
] as const;

/** The service says that it has stored the variable, and not when: its answer lists nothing. */
async function created(stage: ProcessStage, type: string, given: object) {
  const { sandbox, context, declared, restart } = stage;
  sandbox.faults.add({ label: "PUT /env-vars", status: 200, acts: true, body: { data: [] } });
  const made = await findResource(type).create(context(), declared(type, { ...given }));
  await restart();
  return made;
}

describe("variables: hidden values of which nobody knows since when they are there", () => {
  for (const [type, given] of types)
    it(`a write without an answer is not taken for done because the mask fits: ${type}`, () =>
      onProcessStage(async (stage) => {
        const { sandbox, context, declared, values } = stage;
        const resource = findResource(type);
        const old = await created(stage, type, given(OLD));
        const silence = sandbox.faults.add({ label: "PUT /env-vars", dropBefore: true, times: Infinity });
        const failed = await resource.update(context(), old.id, declared(type, given(NEW)), old.state);
        silence.remove();
        expect(values()).to.deep.equal({ S: OLD });
        expect(failed.unfinishedReasons).to.have.length(1);
        const { secrets, value } = failed.state;
        const stored = typeof value === "string" ? value : JSON.stringify(secrets).slice('{"S":"'.length, -2);
        expect(stored).to.match(PLACEHOLDER);

        // A refresh learns no more, and shows no more: the mask would show a part of the value.
        const found = await resource.read(context(), old.id, failed.state);
        expect(JSON.stringify(found?.inputs)).to.contain(stored);
        await resource.update(context(), old.id, declared(type, given(NEW)), found?.state ?? {});
        expect(values()).to.deep.equal({ S: NEW });
      }));
});

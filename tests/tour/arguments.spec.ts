import { expect } from "chai";
import { readRequest, RefusedError } from "../../tools/tour/arguments";

const ENVIRONMENT_ID = "11111111-1111-4111-8111-111111111142";
const SERVICE = { PREVIEWENV_BASE_URL: "https://service.example", PREVIEWENV_API_TOKEN: "token-of-the-organization" };

function refusalOf(args: readonly string[], environment: NodeJS.ProcessEnv): string {
  try {
    readRequest(args, environment);
  } catch (error) {
    if (error instanceof RefusedError) return error.message;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("tour: arguments", () => {
  it("takes the sandbox when nothing is asked for", () => {
    expect(readRequest([], {})).to.deep.equal({ kind: "sandbox", ignoresService: false });
  });

  for (const name of ["PREVIEWENV_BASE_URL", "PREVIEWENV_API_TOKEN"] as const) {
    it(`takes the sandbox, and says that it does, when ${name} is set`, () => {
      expect(readRequest([], { [name]: SERVICE[name] })).to.deep.equal({ kind: "sandbox", ignoresService: true });
    });
  }

  it("refuses a real service unless it is asked for by its own flag, and says how", () => {
    const text = refusalOf(["--environment", ENVIRONMENT_ID], SERVICE);
    expect(text).to.contain(`npm start -- --environment ${ENVIRONMENT_ID} --preview-real-service`);
    expect(text).not.to.contain(SERVICE.PREVIEWENV_API_TOKEN);
  });

  it("takes a preview with both flags and both settings", () => {
    const request = readRequest(["--environment", ENVIRONMENT_ID, "--preview-real-service"], SERVICE);
    expect(request).to.deep.equal({ kind: "preview", environmentId: ENVIRONMENT_ID });
  });

  it("names the settings that an environment of the real service needs", () => {
    const args = ["--environment", ENVIRONMENT_ID, "--preview-real-service"];
    const { PREVIEWENV_BASE_URL } = SERVICE;
    expect(refusalOf(args, { PREVIEWENV_BASE_URL })).to.equal("--environment needs PREVIEWENV_API_TOKEN to be set");
    expect(refusalOf(args, { PREVIEWENV_BASE_URL: "" })).to.contain("PREVIEWENV_BASE_URL and PREVIEWENV_API_TOKEN");
  });

  const mistakes: readonly (readonly string[])[] = [
    ["--enviroment", ENVIRONMENT_ID],
    ["--environment"],
    ["--environment", "shop-pr-42"],
    ["--preview-real-service"],
    ["up"],
  ];
  for (const args of mistakes) {
    it(`shows the usage for ${args.join(" ")}`, () => {
      expect(refusalOf(args, SERVICE)).to.contain("usage: npm start -- [options]");
    });
  }

  it("shows the usage when asked", () => {
    expect(readRequest(["--help"], SERVICE)).to.deep.equal({ kind: "help" });
  });
});

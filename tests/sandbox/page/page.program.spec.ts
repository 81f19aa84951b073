import { createHash } from "node:crypto";
import { expect } from "chai";
import { send, start } from "../caller";
import { address, pressedIn } from "./browser-tests";

const MARKUP = "<img src=x onerror=\"document.title='broken out'\">";

/** The sources a policy allows, by directive. */
function sourcesOf(policy: string): ReadonlyMap<string, string> {
  return new Map(
    policy.split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources.join(" ")];
    }),
  );
}

describe("sandbox: the page over HTTP", () => {
  it("is one HTML document whose policy allows its own script and style and nothing else", async () => {
    await using fixture = await start();

    const { status, text, headers } = await send("GET", address(fixture));

    expect([status, headers.get("content-type")]).to.deep.equal([200, "text/html; charset=utf-8"]);
    const sources = sourcesOf(headers.get("content-security-policy") ?? "");
    for (const element of ["script", "style"]) {
      const content = new RegExp(`<${element}>(.*?)</${element}>`, "s").exec(text)?.[1] ?? "";
      const hash = createHash("sha256").update(content).digest("base64");
      expect(sources.get(`${element}-src`)).to.equal(`'sha256-${hash}'`);
    }
    expect(sources.get("default-src")).to.equal("'none'");
    expect(sources.get("connect-src")).to.equal("'self'");
    expect(sources.get("frame-ancestors")).to.equal("'none'");
    expect(sources.get("require-trusted-types-for")).to.equal("'script'");
  });

  it("refers to nothing outside itself and holds no token, no name and no value", async () => {
    const environments = [
      { name: MARKUP, projects: [{ repoName: "web", branch: "main" }], variables: [{ name: "A", value: "one value" }] },
    ];
    await using fixture = await start({ environments, token: "a-token" });

    const { text } = await send("GET", address(fixture));

    expect([...text.matchAll(/(?:src|href)="(?!data:|#)/g)]).to.have.length(0);
    for (const unwanted of ["a-token", MARKUP, "one value"]) expect(text).not.to.include(unwanted);
  });

  it("lies at the root whatever the service's prefix is, and in no journal", async () => {
    await using fixture = await start({ pathPrefix: "/gateway" });

    expect((await send("GET", address(fixture))).status).to.equal(200);
    expect((await send("GET", `${fixture.sandbox.url}/`)).status).to.equal(401);
    expect(fixture.sandbox.journal.entries.map(({ path }) => path)).to.deep.equal(["/"]);
  });

  it("has no button that no test in a browser presses", async () => {
    await using fixture = await start();

    const { text } = await send("GET", address(fixture));

    const buttons = [...text.matchAll(/<button[^>]*>(.*?)<\/button/gsu)].map(([, button = ""]) => button.trim());
    const pressed = pressedIn(["environments.program.spec.ts", "traffic.program.spec.ts"]);
    expect(buttons).to.have.length.greaterThan(20);
    expect(buttons.filter((button) => !pressed.some((name) => name.startsWith(button)))).to.deep.equal([]);
  });
});

import { expect } from "chai";
import { defaultEnvironments, SEED } from "../../../provider/src/sandbox";
import { start } from "../caller";
import { inBrowser } from "./browser-tests";

const ID = SEED.shopPullRequest;

inBrowser("environments on the page", (page) => {
  const flags = [
    ["stopped", "Stop", "Stopped"],
    ["retired", "Retire", "Retired"],
    ["deleted", "Delete", "Deleted"],
  ] as const;
  for (const [flag, verb, done] of flags) {
    it(`are ${flag} by click, and that is undone by click`, async () => {
      const browser = page();
      await using fixture = await start();
      const isSet = () => fixture.sandbox.world.environments.get(ID)?.[flag];
      await browser.open(fixture);

      await browser.press(`${verb} shop-pr-42`);
      await browser.said(`${done} shop-pr-42`);
      expect(isSet()).to.equal(true);
      await browser.until(`document.querySelector(".badges").textContent.includes("${flag}")`);

      await browser.press(`Undo ${verb.toLowerCase()} shop-pr-42`);
      await browser.said(`Took back: ${verb.toLowerCase()} shop-pr-42`);
      expect(isSet()).to.equal(false);
    });
  }

  it("are switched to a branch and get a commit, each with a build", async () => {
    const browser = page();
    await using fixture = await start();
    const web = () => fixture.sandbox.world.environments.get(ID)?.projects[0];
    const builds = () => fixture.sandbox.world.builds(ID);
    await browser.open(fixture);

    await browser.fill("Another branch for web in shop-pr-42", "feature/by-hand");
    await browser.press("Switch web in shop-pr-42");
    await browser.said("Switched web in shop-pr-42 to feature/by-hand");
    expect(web()?.branch).to.equal("feature/by-hand");
    await browser.until('document.querySelector(".badges").textContent === "processing"');
    expect(builds()).to.have.length(3);

    const before = web()?.commitHash;
    await browser.press("New commit for web in shop-pr-42");
    await browser.said("Pushed a commit for web in shop-pr-42");
    expect(web()).to.include({ branch: "feature/by-hand" }).and.not.include({ commitHash: before });
    expect(builds().map(({ outcome }) => outcome)).to.deep.equal(["inFlight", "failed", "succeeded", "succeeded"]);
  });

  it("get a build that fails, one that is slow, and one that is as usual", async () => {
    const browser = page();
    await using fixture = await start();
    const outcomes = () => fixture.sandbox.world.builds(ID).map(({ outcome }) => outcome);
    const isDisabled = () => browser.evaluate('document.querySelector("[data-part=finish]").disabled');
    await browser.open(fixture);
    expect(await isDisabled()).to.equal(true);

    await browser.press("Fail the next build of shop-pr-42");
    await browser.said("The next build of shop-pr-42 will fail");
    await browser.press("Slow next build: 60 s for shop-pr-42");
    await browser.said("The next build of shop-pr-42 will take 60 seconds");
    expect(await browser.texts("[data-part=next-build-text]")).to.include("The next build fails and takes 60 s.");
    await browser.press("Build now: shop-pr-42");
    await browser.said("Queued a build of shop-pr-42");
    fixture.clock.advance(59_000);
    expect(outcomes()[0]).to.equal("inFlight");
    await browser.press("Finish the build of shop-pr-42");
    await browser.said("Finished the build of shop-pr-42");
    expect(outcomes()).to.deep.equal(["failed", "succeeded", "succeeded"]);
    expect((await browser.texts(".builds .state"))[0]).to.equal("failed");

    await browser.press("Fail the next build of shop-pr-42");
    await browser.said("The next build of shop-pr-42 will fail");
    await browser.press("As usual: the next build of shop-pr-42");
    await browser.said("The next build of shop-pr-42 goes as usual");
    expect(fixture.sandbox.world.environments.get(ID)?.nextBuild).to.deep.equal({});
  });
});

inBrowser("variables on the page", (page) => {
  it("are masked as the service does, beside branches and builds", async () => {
    await using fixture = await start();
    await page().open(fixture);

    const [shown] = await page().texts("body");

    expect(shown).to.include("shop-pr-42").and.include("acme/web").and.include("succeeded");
    expect(shown).to.include("no******************ey").and.not.include("not-a-real-session-key");
    expect(shown).to.include("No request yet.").and.not.include(fixture.sandbox.token);
  });

  it("are edited, a hidden one too, and keep what is not changed", async () => {
    const browser = page();
    await using fixture = await start();
    const variable = () => fixture.sandbox.world.variable(ID, "SMTP_PASSWORD");
    await browser.open(fixture);

    await browser.press("Edit SMTP_PASSWORD in shop-pr-42");
    expect(await browser.evaluate("document.activeElement.value")).to.equal("");
    await browser.type("changed by hand");
    await browser.press("Save");
    await browser.said("Saved SMTP_PASSWORD");
    expect(variable()).to.deep.include({ value: "changed by hand", hidden: true, services: ["worker"] });

    await browser.press("Edit SMTP_PASSWORD in shop-pr-42");
    await browser.fill("Services", "worker, api");
    await browser.enter();
    await browser.until('document.body.innerText.includes("worker, api")');
    expect(variable()).to.deep.include({ value: "changed by hand", hidden: true, services: ["worker", "api"] });

    await browser.press("Edit SMTP_PASSWORD in shop-pr-42");
    await browser.press("Cancel");
    expect(await browser.evaluate("document.querySelector('form [name=name]').value")).to.equal("");
  });

  it("are added and deleted, and a delete is undone", async () => {
    const browser = page();
    await using fixture = await start();
    const variable = (name: string) => fixture.sandbox.world.variable(ID, name);
    await browser.open(fixture);

    await browser.fill("Name", "ADDED");
    await browser.fill("Value", "1");
    await browser.enter();
    await browser.said("Saved ADDED");
    expect(variable("ADDED")).to.deep.include({ value: "1", hidden: true, services: [] });

    await browser.press("Delete ADDED in shop-pr-42");
    await browser.said("Deleted ADDED in shop-pr-42");
    expect(variable("ADDED")).to.equal(undefined);
    expect(await browser.evaluate("document.activeElement.innerText")).to.equal("Variables (4)");

    await browser.press("Delete SMTP_PASSWORD in shop-pr-42");
    await browser.said("Deleted SMTP_PASSWORD in shop-pr-42");
    await browser.press("Undo");
    await browser.said("Restored SMTP_PASSWORD");
    expect(variable("SMTP_PASSWORD")).to.deep.include({
      value: "not-a-real-password",
      hidden: true,
      services: ["worker"],
    });
  });
});

inBrowser("the page with 30 environments", (page) => {
  it("begins closed, and is searched by name, branch, variable and state", async () => {
    const browser = page();
    const many = Array.from({ length: 26 }, (_, index) => ({
      name: `preview-${index}`,
      projects: [{ repoName: "web", branch: `feature/somebody-chose-${index}` }],
      stopped: index === 7,
    }));
    await using fixture = await start({ environments: [...defaultEnvironments, ...many] });
    await browser.open(fixture);
    const count = async () => (await browser.texts("#environment-count"))[0];
    const search = async (text: string) => {
      await browser.focus("searchbox", "Search environments");
      await browser.type(text);
      return count();
    };

    expect(await browser.evaluate('document.querySelectorAll("details[open]").length')).to.equal(0);
    expect(await count()).to.equal("(30)");
    expect(await search("preview-25")).to.equal("(1 of 30)");
    expect(await search("somebody-chose-2")).to.equal("(7 of 30)");
    expect(await search("smtp_password")).to.equal("(1 of 30)");
    expect(await search("stopped somebody-chose")).to.equal("(1 of 30)");
    await browser.press("Open all");
    await search(" ");
    expect(await browser.evaluate('document.querySelectorAll("details[open]").length')).to.equal(1);
    await browser.press("Close all");
    expect(await browser.evaluate('document.querySelectorAll("details[open]").length')).to.equal(0);
  });
});

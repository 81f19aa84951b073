import { expect } from "chai";
import { SEED } from "../../../provider/src/sandbox";
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
      const { open, press, said, browser } = page();
      await using fixture = await start();
      const isSet = () => fixture.sandbox.world.environments.get(ID)?.[flag];
      await open(fixture);

      await press(`${verb} shop-pr-42`);
      await said(`${done} shop-pr-42`);
      expect(isSet()).to.equal(true);
      await browser.until(`document.querySelector(".badges").textContent.includes("${flag}")`);

      await press(`Undo ${verb.toLowerCase()} shop-pr-42`);
      await said(`Took back: ${verb.toLowerCase()} shop-pr-42`);
      expect(isSet()).to.equal(false);
    });
  }

  it("are switched to a branch and get a commit, each with a build", async () => {
    const { open, press, fill, said, browser } = page();
    await using fixture = await start();
    const web = () => fixture.sandbox.world.environments.get(ID)?.projects[0];
    const builds = () => fixture.sandbox.world.builds(ID);
    await open(fixture);

    await fill("Another branch for web in shop-pr-42", "feature/by-hand");
    await press("Switch web in shop-pr-42");
    await said("Switched web in shop-pr-42 to feature/by-hand");
    expect(web()?.branch).to.equal("feature/by-hand");
    await browser.until('document.querySelector(".badges").textContent === "processing"');
    expect(builds()).to.have.length(3);

    const before = web()?.commitHash;
    await press("New commit for web in shop-pr-42");
    await said("Pushed a commit for web in shop-pr-42");
    expect(web()).to.include({ branch: "feature/by-hand" }).and.not.include({ commitHash: before });
    expect(builds().map(({ outcome }) => outcome)).to.deep.equal(["inFlight", "failed", "succeeded", "succeeded"]);
  });

  it("get a build that fails, one that is slow, and one that is as usual", async () => {
    const { open, press, said, texts, browser } = page();
    await using fixture = await start();
    const outcomes = () => fixture.sandbox.world.builds(ID).map(({ outcome }) => outcome);
    const isDisabled = () => browser.evaluate('document.querySelector("[data-part=finish]").disabled');
    await open(fixture);
    expect(await isDisabled()).to.equal(true);

    await press("Fail the next build of shop-pr-42");
    await said("The next build of shop-pr-42 will fail");
    await press("Slow next build: 60 s for shop-pr-42");
    await said("The next build of shop-pr-42 will take 60 seconds");
    expect(await texts("[data-part=next-build-text]")).to.include("The next build fails and takes 60 s.");
    await press("Build now: shop-pr-42");
    await said("Queued a build of shop-pr-42");
    fixture.clock.advance(59_000);
    expect(outcomes()[0]).to.equal("inFlight");
    await press("Finish the build of shop-pr-42");
    await said("Finished the build of shop-pr-42");
    expect(outcomes()).to.deep.equal(["failed", "succeeded", "succeeded"]);
    expect((await texts(".builds .state"))[0]).to.equal("failed");

    await press("Fail the next build of shop-pr-42");
    await said("The next build of shop-pr-42 will fail");
    await press("As usual: the next build of shop-pr-42");
    await said("The next build of shop-pr-42 goes as usual");
    expect(fixture.sandbox.world.environments.get(ID)?.nextBuild).to.deep.equal({});
  });

  it("that vanished meanwhile: the page says why a change was not made", async () => {
    const { open, fill, said, browser } = page();
    await using fixture = await start();
    await open(fixture);
    // It vanishes after Enter and before the request, so that no poll can be faster.
    const remove = { method: "DELETE", body: JSON.stringify({ environmentId: SEED.shopMain }) };
    await browser.evaluate(`{ const send = window.fetch; const remove = ${JSON.stringify(remove)};
      const headers = { "content-type": "application/json" };
      window.fetch = async (path, options) => {
        if (options.method === "POST") await send("/__sandbox/environments", { ...remove, headers });
        return send(path, options);
      }; }`);
    await fill("Another branch for web in shop-main", "x");
    await browser.enter();

    await said(`That did not work: the sandbox has no environment ${SEED.shopMain}`);
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
    const { open, press, fill, said, browser } = page();
    await using fixture = await start();
    const variable = () => fixture.sandbox.world.variable(ID, "SMTP_PASSWORD");
    await open(fixture);

    await press("Edit SMTP_PASSWORD in shop-pr-42");
    expect(await browser.evaluate("document.activeElement.value")).to.equal("");
    await browser.type("changed by hand");
    await press("Save");
    await said("Saved SMTP_PASSWORD");
    expect(variable()).to.deep.include({ value: "changed by hand", hidden: true, services: ["worker"] });

    await press("Edit SMTP_PASSWORD in shop-pr-42");
    await fill("Services", "worker, api");
    await browser.enter();
    await browser.until('document.body.innerText.includes("worker, api")');
    expect(variable()).to.deep.include({ value: "changed by hand", hidden: true, services: ["worker", "api"] });

    await press("Edit SMTP_PASSWORD in shop-pr-42");
    await press("Cancel");
    expect(await browser.evaluate("document.querySelector('form [name=name]').value")).to.equal("");
  });

  it("are added and deleted, and a delete is undone", async () => {
    const { open, press, fill, said, browser } = page();
    await using fixture = await start();
    const variable = (name: string) => fixture.sandbox.world.variable(ID, name);
    await open(fixture);

    await fill("Name", "ADDED");
    await fill("Value", "1");
    await browser.enter();
    await said("Saved ADDED");
    expect(variable("ADDED")).to.deep.include({ value: "1", hidden: true, services: [] });

    await press("Delete ADDED in shop-pr-42");
    await said("Deleted ADDED in shop-pr-42");
    expect(variable("ADDED")).to.equal(undefined);
    expect(await browser.evaluate("document.activeElement.innerText")).to.equal("Variables (4)");

    await press("Delete SMTP_PASSWORD in shop-pr-42");
    await said("Deleted SMTP_PASSWORD in shop-pr-42");
    await press("Undo");
    await said("Restored SMTP_PASSWORD");
    expect(variable("SMTP_PASSWORD")).to.deep.include({
      value: "not-a-real-password",
      hidden: true,
      services: ["worker"],
    });
  });

  it("do not disturb what somebody types while they change", async () => {
    const { open, fill, browser } = page();
    await using fixture = await start();
    await open(fixture);
    await fill("Another branch for api in shop-pr-42", "half a na");

    fixture.sandbox.world.setVariable(ID, { name: "LATER", value: "1" });
    fixture.sandbox.world.switchBranch(ID, "api", "elsewhere");
    await browser.until('document.body.innerText.includes("LATER") && document.body.innerText.includes("elsewhere")');

    expect(await browser.evaluate("document.activeElement.value")).to.equal("half a na");
  });
});

import { expect } from "chai";
import { SEED } from "../../../provider/src/sandbox";
import { start } from "../caller";
import { inBrowser } from "./browser-tests";

const ID = SEED.shopPullRequest;

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

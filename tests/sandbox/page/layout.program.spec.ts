import { expect } from "chai";
import { defaultEnvironments, type EnvironmentSeed } from "../../../provider/src/sandbox";
import { start } from "../caller";
import { inBrowser } from "./browser-tests";

const PHONE = { width: 390, height: 844 };
const LONG = "A_RATHER_LONG_NAME_OF_A_VARIABLE_THAT_DOES_NOT_FIT";

const environments: readonly EnvironmentSeed[] = [
  ...defaultEnvironments,
  ...Array.from({ length: 26 }, (_, index) => ({
    name: `preview-${index}`,
    projects: [{ repoName: "web", branch: `feature/a-branch-with-a-long-name-that-somebody-chose-${index}` }],
    variables: [{ name: LONG, value: "value".repeat(20), hidden: false, services: ["web", "worker"] }],
    stopped: index === 7,
  })),
];

inBrowser("the page with 30 environments", (page) => {
  afterEach(() => page().look());

  for (const [scheme, background] of [
    ["light", "rgb(245, 245, 248)"],
    ["dark", "rgb(21, 21, 27)"],
  ] as const) {
    it(`fits a telephone without scrolling sideways, with everything open, and is ${scheme} when the system is`, async () => {
      const browser = page();
      await using fixture = await start({ environments });
      fixture.sandbox.faults.add({ refuse: { [LONG]: "x" } });
      await fixture.call("GET", `?name=${LONG.repeat(2)}`);
      await browser.look(PHONE.width, PHONE.height, scheme);
      await browser.open(fixture);
      await browser.press("Open all");
      await browser.until('document.querySelectorAll("details:not([open])").length === 0');
      await browser.until('document.querySelectorAll("#journal tr").length === 1');

      expect(await browser.evaluate("getComputedStyle(document.body).backgroundColor")).to.equal(background);
      expect(await browser.evaluate("document.documentElement.scrollWidth <= innerWidth")).to.equal(true);
      const wide = `[...document.querySelectorAll("body *")].filter((one) =>
        one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX)).length`;
      expect(await browser.evaluate(wide)).to.equal(0);
      const cut = `[...document.querySelectorAll("button, input, code")].filter((one) =>
        one.getBoundingClientRect().right > document.documentElement.clientWidth).length`;
      expect(await browser.evaluate(cut)).to.equal(0);
    });
  }

  for (const width of [700, 1020, 1121, 1280]) {
    it(`has room at ${width} px for a day beside each time, for names on one line, and for long branches`, async () => {
      const browser = page();
      // Its clock stands still, in a year that is over: no time is of today.
      await using fixture = await start({ environments: environments.slice(0, 6) });
      await browser.look(width, 1_000);
      await browser.open(fixture);
      await browser.press("Open all");
      const parts = '[...document.querySelectorAll("details :is(.builds li, .branch, .variables tr) > *")]';
      const overlapping = `${parts}.filter((one) => {
        const [own, next] = [one, one.nextElementSibling].map((part) => part?.getBoundingClientRect());
        return next !== undefined && own.right > next.left + 1 && own.bottom > next.top + 1;
      }).length`;
      const lines = (selector: string) => `Math.max(...[...document.querySelectorAll("${selector}")].map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      }))`;

      expect(await browser.texts(".builds time")).to.include("31 Dec 23:59");
      expect(await browser.evaluate(overlapping)).to.equal(0);
      expect(await browser.evaluate(lines(".builds time"))).to.equal(1);
      expect(await browser.evaluate(lines("details:first-child tbody th code"))).to.equal(1);
      expect(await browser.evaluate(lines(".branch code"))).to.be.within(1, 3);
    });
  }

  it("begins closed, and is searched by name, branch, variable and state", async () => {
    const browser = page();
    await using fixture = await start({ environments });
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

  it("names each button and each field for a screen reader", async () => {
    const browser = page();
    await using fixture = await start();
    await browser.open(fixture);

    const unnamed = `[...document.querySelectorAll("button, input, select")].filter((one) =>
      !(one.getAttribute("aria-label") || one.closest("label") || one.textContent.trim())).length`;
    expect(await browser.evaluate(unnamed)).to.equal(0);
    const other = `[...document.querySelectorAll("button[aria-label]")].filter((one) =>
      !one.getAttribute("aria-label").startsWith(one.textContent)).length`;
    expect(await browser.evaluate(other)).to.equal(0);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { Browser, findBrowser } from "../../support/browser";
import type { Fixture } from "../caller";

const TIMEOUT_MS = 600_000;
const browser = findBrowser();
const where = browser === undefined ? " (skipped: no CHROME_BIN, and no chromium or google-chrome on PATH)" : "";

/** A message goes away after some seconds. What was said is kept, so that no test has to be faster than that. */
const HEAR = `{
  const line = document.querySelector("#message-text");
  window.heard = [];
  new MutationObserver(() => heard.push(line.textContent)).observe(line, { childList: true });
}`;

/** The page of a sandbox, used with the keyboard. */
export interface Page {
  readonly browser: Browser;
  readonly open: (fixture: Fixture) => Promise<void>;
  /** Puts the focus on the button with this accessible name and presses Enter. */
  readonly press: (button: string) => Promise<void>;
  /** Types into the field with this accessible name. */
  readonly fill: (label: string, text: string) => Promise<void>;
  /** Waits for the line that says how the last change went. */
  readonly said: (text: string) => Promise<void>;
  /** The texts of all elements that match, as they are laid out. */
  readonly texts: (selector: string) => Promise<readonly string[]>;
}

/** Tests that need a browser; without one they are skipped. An exception in the page, or a violation of its policy, fails a test. */
export function inBrowser(title: string, tests: (page: () => Page) => void): void {
  describe(`sandbox: ${title}${where}`, function () {
    this.timeout(TIMEOUT_MS);
    let page: Page | undefined;

    before(async function () {
      if (browser === undefined) this.skip();
      page = pageOf(await Browser.start(browser));
    });
    after(() => page?.browser[Symbol.asyncDispose]());
    afterEach(() => {
      expect(page?.browser.complaints, "exceptions and violations of the policy").to.deep.equal([]);
    });

    tests(() => {
      if (page === undefined) throw new Error("there is no browser");
      return page;
    });
  });
}

/** The address of a sandbox's page. */
export function address({ sandbox }: Fixture): string {
  return new URL("/", sandbox.url).href;
}

/** What the tests of this folder press, as it stands in their texts. */
export function pressedIn(specs: readonly string[]): readonly string[] {
  const text = specs.map((name) => readFileSync(join(__dirname, name), "utf8")).join("\n");
  return [...text.matchAll(/\bpress\(["`]([^"`]+)["`]\)/gu)].map(([, button = ""]) => button);
}

function pageOf(own: Browser): Page {
  return {
    browser: own,
    open: async (fixture) => {
      await own.open(address(fixture));
      const count = fixture.sandbox.world.environments.list().length;
      await own.until(`document.querySelectorAll("details").length === ${count}`);
      await own.evaluate(HEAR);
    },
    press: async (button) => {
      await own.focus("button", button);
      await own.enter();
    },
    fill: async (label, text) => {
      await own.focus("textbox", label);
      await own.type(text);
    },
    said: async (text) => {
      await own.until(`heard.includes(${JSON.stringify(text)})`);
      await own.evaluate("heard.length = 0");
    },
    texts: async (selector) => {
      const expression = `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.innerText)`;
      const found = await own.evaluate(expression);
      return Array.isArray(found) ? found.map(String) : [];
    },
  };
}

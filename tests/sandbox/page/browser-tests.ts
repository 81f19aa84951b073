import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type Browser, launch, type Page as Tab } from "puppeteer-core";
import { findOnPath, isExecutable } from "../../../tools/setup/command.mjs";
import type { Fixture } from "../caller";

const TIMEOUT_MS = 600_000;
const STEP_LIMIT_MS = 100_000;
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic"];

/** A message goes away after some seconds. What was said is kept, so that no test has to be faster than that. */
const HEAR = `{
  const line = document.querySelector("#message-text");
  window.heard = [];
  new MutationObserver(() => heard.push(line.textContent)).observe(line, { childList: true });
}`;

/** A browser on this computer: `CHROME_BIN`, or Chromium or Chrome on PATH. Undefined when there is none. */
function findBrowser(): string | undefined {
  const chosen = process.env["CHROME_BIN"] ?? "";
  return isExecutable(chosen) ? chosen : NAMES.map((name) => findOnPath(name)).find((found) => found !== undefined);
}

/** The page of a sandbox in a headless browser, used with the keyboard. */
export class Page {
  readonly #browser: Browser;
  readonly #tab: Tab;
  /** What went wrong in the page: exceptions, violations of its policy. Requests that failed do not count. */
  readonly complaints: string[] = [];

  private constructor(browser: Browser, tab: Tab) {
    this.#browser = browser;
    this.#tab = tab;
  }

  /** Starts the browser with a profile of its own and opens one empty page. */
  static async start(executablePath: string): Promise<Page> {
    const limits = { timeout: STEP_LIMIT_MS, protocolTimeout: STEP_LIMIT_MS };
    const browser = await launch({ executablePath, args: FLAGS, ...limits });
    const tab = await browser.newPage();
    tab.setDefaultTimeout(STEP_LIMIT_MS);
    const page = new Page(browser, tab);
    tab.on("pageerror", (error) => page.complaints.push(String(error)));
    const session = await tab.createCDPSession();
    session.on("Log.entryAdded", ({ entry: { source, level, text } }) => {
      if (level === "error" && source !== "network") page.complaints.push(text);
    });
    await session.send("Log.enable");
    await tab.setViewport({ width: 1200, height: 900 });
    return page;
  }

  /** Goes to an address and waits until its page is loaded. */
  async visit(url: string): Promise<void> {
    await this.#tab.goto(url);
  }

  /** Opens the page of a sandbox. */
  async open(fixture: Fixture): Promise<void> {
    await this.visit(address(fixture));
    const count = fixture.sandbox.world.environments.list().length;
    await this.until(`document.querySelectorAll("details").length === ${count}`);
    await this.evaluate(HEAR);
  }

  /** The value of an expression in the page. Throws when it throws. */
  evaluate(expression: string): Promise<unknown> {
    return this.#tab.evaluate(expression);
  }

  /** Waits until an expression is true in the page. Looks once a frame. The page's policy forbids what puppeteer would do for it. */
  async until(expression: string): Promise<void> {
    const deadline = performance.now() + STEP_LIMIT_MS;
    while ((await this.evaluate(expression)) !== true) {
      if (performance.now() > deadline) throw new Error(`did not come about in the page: ${expression}`);
      await this.evaluate("new Promise(requestAnimationFrame)");
    }
  }

  /** Puts the focus on the element with this role and accessible name, as a screen reader would. A text is selected. */
  async focus(role: string, name: string): Promise<void> {
    const element = await this.#tab.waitForSelector(`::-p-aria([name=${JSON.stringify(name)}][role="${role}"])`);
    await element?.focus();
    await this.evaluate("document.activeElement.select?.()");
  }

  /** Types a text into what has the focus. What is selected is replaced. */
  async type(text: string): Promise<void> {
    await this.#tab.keyboard.sendCharacter(text);
  }

  /** Presses and releases Enter on what has the focus. */
  async enter(): Promise<void> {
    await this.#tab.keyboard.press("Enter");
  }

  /** Puts the focus on the button with this accessible name and presses Enter. */
  async press(button: string): Promise<void> {
    await this.focus("button", button);
    await this.enter();
  }

  /** Types into the field with this accessible name. */
  async fill(label: string, text: string): Promise<void> {
    await this.focus("textbox", label);
    await this.type(text);
  }

  /** Waits for the line that says how the last change went. */
  async said(text: string): Promise<void> {
    await this.until(`heard.includes(${JSON.stringify(text)})`);
    await this.evaluate("heard.length = 0");
  }

  /** The texts of all elements that match, as they are laid out. */
  async texts(selector: string): Promise<readonly string[]> {
    const expression = `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.innerText)`;
    const found = await this.evaluate(expression);
    return Array.isArray(found) ? found.map(String) : [];
  }

  /** Ends the browser and removes its profile. */
  close(): Promise<void> {
    return this.#browser.close();
  }
}

/** Tests that need a browser. Without one they are skipped. An exception in the page, or a violation of its policy, fails a test. */
export function inBrowser(title: string, tests: (page: () => Page) => void): void {
  const found = findBrowser();
  const where = found === undefined ? " (skipped: no CHROME_BIN, and no chromium or google-chrome on PATH)" : "";
  describe(`sandbox: ${title}${where}`, function () {
    this.timeout(TIMEOUT_MS);
    let page: Page | undefined;

    before(async function () {
      if (found === undefined) this.skip();
      page = await Page.start(found);
    });
    after(() => page?.close());
    afterEach(() => {
      expect(page?.complaints, "exceptions and violations of the policy").to.deep.equal([]);
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

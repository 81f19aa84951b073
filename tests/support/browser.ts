import { type Browser as Chromium, launch, type Page } from "puppeteer-core";
import { findProgram, isExecutable } from "../../tools/generate/sdks/programs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const STEP_LIMIT_MS = 100_000;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic"];

/** How a page is looked at. */
export interface View {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
}

/** A browser on this computer: `CHROME_BIN`, or Chromium or Chrome on PATH; undefined when there is none. */
export function findBrowser(): string | undefined {
  const chosen = process.env["CHROME_BIN"] ?? "";
  return isExecutable(chosen) ? chosen : NAMES.map(findProgram).find((found) => found !== undefined);
}

/** A headless browser with one page. Only the keyboard is used. */
export class Browser implements AsyncDisposable {
  readonly #browser: Chromium;
  readonly #page: Page;
  /** What went wrong in the page: exceptions, violations of its policy. Requests that failed do not count. */
  readonly complaints: string[] = [];

  private constructor(browser: Chromium, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  /** Starts the browser with a profile of its own and opens one empty page. */
  static async start(executablePath: string): Promise<Browser> {
    const chromium = await launch({
      executablePath,
      args: FLAGS,
      timeout: STEP_LIMIT_MS,
      protocolTimeout: STEP_LIMIT_MS,
    });
    const page = await chromium.newPage();
    page.setDefaultTimeout(STEP_LIMIT_MS);
    const browser = new Browser(chromium, page);
    page.on("pageerror", (error) => browser.complaints.push(String(error)));
    const session = await page.createCDPSession();
    session.on("Log.entryAdded", ({ entry: { source, level, text } }) => {
      if (level === "error" && source !== "network") browser.complaints.push(text);
    });
    await session.send("Log.enable");
    await browser.look({});
    return browser;
  }

  /** The size of the window, and what the system prefers. */
  async look({ width = 1200, height = 900, scheme = "light" }: View): Promise<void> {
    await this.#page.setViewport({ width, height });
    await this.#page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await this.until(`innerWidth === ${width} && matchMedia("(prefers-color-scheme: ${scheme})").matches`);
  }

  /** Goes to an address and waits until the page is loaded. */
  async open(url: string): Promise<void> {
    await this.#page.goto(url);
  }

  /** The value of an expression in the page. Throws when it throws. */
  evaluate(expression: string): Promise<unknown> {
    return this.#page.evaluate(expression);
  }

  /** Waits until an expression is true in the page; looks once a frame. The page's policy forbids what puppeteer would do for it. */
  async until(expression: string): Promise<void> {
    const deadline = performance.now() + STEP_LIMIT_MS;
    while ((await this.evaluate(expression)) !== true) {
      if (performance.now() > deadline) throw new Error(`did not come about in the page: ${expression}`);
      await this.evaluate("new Promise(requestAnimationFrame)");
    }
  }

  /** Puts the focus on the element with this role and accessible name, as a screen reader would; a text is selected. */
  async focus(role: string, name: string): Promise<void> {
    const element = await this.#page.waitForSelector(`::-p-aria([name=${JSON.stringify(name)}][role="${role}"])`);
    await element?.focus();
    await this.evaluate("document.activeElement.select?.()");
  }

  /** Types a text into what has the focus; what is selected is replaced. */
  async type(text: string): Promise<void> {
    await this.#page.keyboard.sendCharacter(text);
  }

  /** Presses and releases Enter on what has the focus. */
  async enter(): Promise<void> {
    await this.#page.keyboard.press("Enter");
  }

  /** Ends the browser and removes its profile. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

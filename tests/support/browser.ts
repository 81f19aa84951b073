import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as z from "zod";
import { findProgram, isExecutable } from "../../tools/generate/sdks/programs";
import { DevTools, type Send } from "./devtools";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const STEP_LIMIT_MS = 100_000;
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  "--remote-debugging-port=0",
];

const Created = z.object({ targetId: z.string() });
const Attached = z.object({ sessionId: z.string() });
const Document = z.object({ root: z.object({ nodeId: z.number() }) });
const Found = z.object({ nodes: z.array(z.object({ ignored: z.boolean(), backendDOMNodeId: z.number() })) });
const Evaluated = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});
const Thrown = z.object({ exceptionDetails: z.object({ text: z.string() }) });
const Logged = z.object({ entry: z.object({ source: z.string(), level: z.string(), text: z.string() }) });
const Shot = z.object({ data: z.string() });

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

/** A headless browser with one page, driven over the DevTools protocol. Only the keyboard is used. */
export class Browser implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #devTools: DevTools;
  readonly #send: Send;
  /** What went wrong in the page: exceptions, violations of its policy. Requests that failed do not count. */
  readonly complaints: string[] = [];

  private constructor(child: ChildProcess, profile: string, devTools: DevTools, send: Send) {
    this.#process = child;
    this.#profile = profile;
    this.#devTools = devTools;
    this.#send = send;
    devTools.onEvent = (name, content) => this.#note(name, content);
  }

  /** Starts the browser with a profile of its own and opens one empty page. */
  static async start(file: string): Promise<Browser> {
    const profile = mkdtempSync(join(tmpdir(), "previewenv-browser-"));
    const child = spawn(file, [...FLAGS, `--user-data-dir=${profile}`], { stdio: ["ignore", "ignore", "pipe"] });
    const devTools = await DevTools.connect(await addressOf(child));
    const { targetId } = Created.parse(await devTools.send("Target.createTarget", { url: "about:blank" }));
    const attach = { targetId, flatten: true };
    const { sessionId } = Attached.parse(await devTools.send("Target.attachToTarget", attach));
    const send: Send = (method, options) => devTools.send(method, options, sessionId);
    const browser = new Browser(child, profile, devTools, send);
    await browser.look({});
    await send("Runtime.enable");
    await send("Log.enable");
    return browser;
  }

  /** The size of the window, and what the system prefers. */
  async look({ width = 1200, height = 900, scheme = "light" }: View): Promise<void> {
    await this.#send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    const features = [{ name: "prefers-color-scheme", value: scheme }];
    await this.#send("Emulation.setEmulatedMedia", { features });
    await this.until(`innerWidth === ${width} && matchMedia("(prefers-color-scheme: ${scheme})").matches`);
  }

  /** Goes to an address and waits until the page is loaded. */
  async open(url: string): Promise<void> {
    await this.#send("Page.navigate", { url });
    await this.until(`location.href === ${JSON.stringify(url)} && document.readyState === "complete"`);
  }

  /** The value of an expression in the page. Throws when it throws. */
  async evaluate(expression: string): Promise<unknown> {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = Evaluated.parse(await this.#send("Runtime.evaluate", options));
    if (exceptionDetails !== undefined) throw new Error(`${exceptionDetails.text} in the page: ${expression}`);
    return result.value;
  }

  /** Waits until an expression is true in the page. Rejects after ten seconds. */
  async until(expression: string): Promise<void> {
    await this.#eventually(expression, async () => ((await this.evaluate(expression)) === true ? true : undefined));
  }

  /** Puts the focus on the element with this role and accessible name, as a screen reader would; a text is selected. */
  async focus(role: string, accessibleName: string): Promise<void> {
    const backendNodeId = await this.#eventually(`${role} ${accessibleName}`, async () => {
      const { root } = Document.parse(await this.#send("DOM.getDocument", { depth: 0 }));
      const query = { nodeId: root.nodeId, role, accessibleName };
      const { nodes } = Found.parse(await this.#send("Accessibility.queryAXTree", query));
      return nodes.find((node) => !node.ignored)?.backendDOMNodeId;
    });
    await this.#send("DOM.focus", { backendNodeId });
    await this.evaluate("document.activeElement.select?.()");
  }

  /** Types a text into what has the focus; what is selected is replaced. */
  async type(text: string): Promise<void> {
    await this.#send("Input.insertText", { text });
  }

  /** Presses and releases Enter on what has the focus. */
  async enter(): Promise<void> {
    const key = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13 };
    await this.#send("Input.dispatchKeyEvent", { type: "keyDown", text: "\r", ...key });
    await this.#send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
  }

  /** What is visible, as PNG. */
  async screenshot(): Promise<Buffer> {
    const { data } = Shot.parse(await this.#send("Page.captureScreenshot", { format: "png" }));
    return Buffer.from(data, "base64");
  }

  /** Looks once a frame. */
  async #eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    const deadline = performance.now() + STEP_LIMIT_MS;
    for (;;) {
      const seen = await look();
      if (seen !== undefined) return seen;
      if (performance.now() > deadline) throw new Error(`did not come about in the page: ${what}`);
      await this.evaluate("new Promise(requestAnimationFrame)");
    }
  }

  #note(name: string, content: unknown): void {
    if (name === "Runtime.exceptionThrown") this.complaints.push(Thrown.parse(content).exceptionDetails.text);
    if (name !== "Log.entryAdded") return;
    const { source, level, text } = Logged.parse(content).entry;
    if (level === "error" && source !== "network") this.complaints.push(text);
  }

  /** Ends the browser and removes its profile. */
  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, "exit");
    // It may be gone before it answers.
    await this.#devTools.send("Browser.close").catch(() => {});
    await ended;
    this.#devTools.close();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  const printed: string[] = [];
  if (child.stderr === null) throw new Error("the browser's messages are not readable");
  for await (const line of createInterface({ input: child.stderr })) {
    printed.push(line);
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address !== undefined) {
      child.stderr.resume();
      return address;
    }
  }
  throw new Error(`the browser ended early: ${printed.join("\n")}`);
}

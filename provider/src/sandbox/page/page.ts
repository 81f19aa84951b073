import { createHash } from "node:crypto";
import { sendReply } from "../http/exchange";
import type { Reply } from "../http/router";
import type { Mount } from "../http/server";
import { markup, script, style } from "./bundle";

const PATH = "/";
/** One document without external assets. It fetches its content from the control requests. */
const html = markup
  .replace("<style></style>", () => `<style>${style}</style>`)
  .replace("<script></script>", () => `<script>${script}</script>`);

/** Nothing runs or styles but what is in the document, and no text can become markup. */
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** The page for a GET, 405 for any other method. It holds no token and nothing of the world. */
export const page: Mount = {
  owns: (path) => path === PATH,
  serve: async (_target, request, response) => {
    request.resume();
    sendReply(response, reply(request.method));
  },
};

function reply(method: string | undefined): Reply {
  if (method !== "GET") return { status: 405, text: "The page only answers GET", headers: { allow: "GET" } };
  return {
    status: 200,
    text: html,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    },
  };
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

import { createHash } from "node:crypto";
import { sendReply } from "../http/exchange";
import type { Reply } from "../http/router";
import type { Mount } from "../http/server";
import { body } from "./body";
import { script } from "./script";
import { style } from "./style";

const PATH = "/";
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%236d5ae6'/%3E%3Ccircle cx='8' cy='8' r='3.5' fill='white'/%3E%3C/svg%3E";

/** One document without external assets. What it shows it fetches from the control requests. */
const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>previewenv sandbox</title>
<link rel="icon" href="${ICON}">
<style>${style}</style>
</head>
<body>
${body}
<script>${script}</script>
</body>
</html>
`;

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

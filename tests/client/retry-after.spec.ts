import { expect } from "chai";
import { parseRetryAfter } from "../../provider/src/client/retry";

const NOW = Date.parse("2026-03-04T05:06:07Z");

describe("client/retry: Retry-After", () => {
  const cases: readonly [string, string | undefined, number | undefined][] = [
    ["seconds", "7", 7_000],
    ["seconds with spaces around", " 7 ", 7_000],
    ["a fraction of a second", "0.5", 500],
    ["zero", "0", 0],
    ["an HTTP date", "Wed, 04 Mar 2026 05:06:37 GMT", 30_000],
    ["an obsolete RFC 850 date", "Wednesday, 04-Mar-26 05:06:37 GMT", 30_000],
    ["a date in the past as no wait", "Wed, 04 Mar 2026 05:00:00 GMT", 0],
    ["nothing in an absent header", undefined, undefined],
    ["nothing in an empty header", "", undefined],
    ["nothing in a negative number", "-5", undefined],
    ["nothing in words that Date.parse would take", "soon 1", undefined],
    ["nothing in a day's name alone", "Wed, 99 Foo", undefined],
  ];
  for (const [what, header, ms] of cases) {
    it(`reads ${what}`, () => expect(parseRetryAfter(header, NOW)).to.equal(ms));
  }
});

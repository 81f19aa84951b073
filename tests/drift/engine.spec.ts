import { expect } from "chai";
import { failuresOf, shownBackend } from "../../provider/src/drift/engine";

describe("drift: errors", () => {
  it("are the CLI's own words, once", () => {
    const text = "warning: old\nerror: no stack named 'x' found\nerror: no stack named 'x' found\n";
    expect(failuresOf([], text).join()).to.equal("no stack named 'x' found");
  });

  it("say that the CLI gave none, and what to run", () => {
    expect(failuresOf([], "\n").join()).to.equal(
      "The Pulumi CLI failed without an error message. Run `pulumi preview` in the project's folder to see more.",
    );
  });
});

describe("drift: the backend in a report", () => {
  for (const [address, shown] of [
    ["https://api.pulumi.com", "https://api.pulumi.com/"],
    ["s3://acme-state/shop?region=eu-west-1&awssdk=v2", "s3://acme-state/shop"],
    ["azblob://state?storage_account=acme&sas=TOKEN", "azblob://state"],
    ["postgres://pulumi:TOKEN@db.example:5432/state?sslmode=require", "postgres://db.example:5432/state"],
    ["https://TOKEN@pulumi.example/acme#TOKEN", "https://pulumi.example/acme"],
    ["file://~", "file://~"],
    ["file:///home/dev@acme/state", "file:///home/dev@acme/state"],
    [String.raw`file://C:\state`, String.raw`file://C:\state`],
    // Not written as an address must be: a part of the password would be taken for the host, the path or the query.
    ["postgres://pulumi:TO/KEN@db.example/state", "postgres://"],
    ["postgres://pulumi:12?TOKEN@db.example/state", "postgres://"],
    ["postgres://pulumi:12#TOKEN@db.example/state", "postgres://"],
    ["postgres://[TOKEN", "postgres://"],
    ["TOKEN", "unknown"],
  ] as const)
    it(`of ${address} is ${shown}`, () => expect(shownBackend(address)).to.equal(shown));
});

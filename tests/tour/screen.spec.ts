import { expect } from "chai";
import { Screen } from "../../tools/tour/screen";

function screenOf(isColoured = false): { screen: Screen; lines: () => readonly string[] } {
  let text = "";
  const screen = new Screen((more) => (text += more), isColoured);
  return { screen, lines: () => text.split("\n") };
}

describe("tour: screen", () => {
  it("shows what a program prints in whole lines, however it comes", () => {
    const { screen, lines } = screenOf();
    const shown = screen.output();
    for (const piece of ["Upda", "ting:\n\n  + va", "rs\r\n", "the end"]) shown.take(piece);
    shown.end();
    expect(lines()).to.deep.equal(["  | Updating:", "  |", "  |   + vars", "  | the end", ""]);
  });

  it("shows a command so that a shell takes it back", () => {
    const { screen, lines } = screenOf();
    screen.command(["pulumi", "config", "set", "--path", "secrets.A", "it's $5"]);
    expect(lines()[1]).to.equal(`$ pulumi config set --path secrets.A 'it'\\''s $5'`);
  });

  it("uses no escape sequence unless it is coloured", () => {
    const show = ({ screen, lines }: ReturnType<typeof screenOf>): string => {
      screen.step("1. from nothing", "this");
      screen.command(["pulumi", "up"]);
      screen.confirmed("so it is");
      return lines().join("\n");
    };
    expect(show(screenOf(false))).not.to.contain("\u001b");
    expect(show(screenOf(true))).to.contain("\u001b");
  });
});

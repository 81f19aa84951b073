import { expect } from "chai";
import { drawTerminal } from "../../tools/picture/svg";
import { textOf } from "./picture-text";

const ESC = "\u001B";

describe("the picture of a terminal", () => {
  it("has the text, line by line, with its spaces and signs", () => {
    const picture = drawTerminal(`${ESC}[38;5;3m~ a : <b> & "c"\n${ESC}[0m\n    d`, "a title");
    expect(textOf(picture)).to.deep.equal(['~ a : <b> & "c"', "    d"]);
    expect(picture).to.contain("<title>a title</title>");
  });

  it("has its colours and bold letters, until they end", () => {
    const picture = drawTerminal(`${ESC}[1m$ run${ESC}[22m\n${ESC}[38;5;1m- a${ESC}[0m b`, "");
    expect(picture).to.contain('<tspan font-weight="bold">$ run</tspan>');
    expect(picture).to.contain('<tspan fill="#ff7b72">- a</tspan> b</text>');
  });

  it("refuses what it cannot show", () => {
    expect(() => drawTerminal(`${ESC}[4munderlined`, "")).to.throw('the code "4"');
    expect(() => drawTerminal(`${ESC}[38;5;200mpink`, "")).to.throw("no colour 200");
  });
});

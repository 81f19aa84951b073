import { expect } from "chai";
import { SentValues } from "../../provider/src/client/redact";

const MIB = 1024 * 1024;

describe("client/redact: sent values", () => {
  it("hides the token, values of the request, and hidden values sent before", () => {
    const sent = new SentValues("the-api-token");
    sent.remember(["earlier-value"]);
    const text = 'the-api-token, earlier-value, own-value-1, "x"';
    expect(sent.redactorFor(["own-value-1", "x"])(text)).to.equal('[secret], [secret], [secret], "[secret]"');
  });

  it("takes no short value of an earlier request for a secret: it would be an ordinary word", () => {
    const sent = new SentValues("the-api-token");
    sent.remember(["running"]);
    expect(sent.redactorFor([])('the environment is "running"')).to.equal('the environment is "running"');
    expect(sent.redactorFor(["running"])('the environment is "running"')).to.equal('the environment is "[secret]"');
  });

  it("shows no text any more once hidden values have more than a million characters", () => {
    const sent = new SentValues("the-api-token");
    const hide = sent.redactorFor([]);
    sent.remember(["the-first-value"]);
    expect(hide("it is not the-first-value")).to.equal("it is not [secret]");
    sent.remember([`large-1-${"x".repeat(MIB)}`]);
    expect(hide("it is not the-first-value")).to.equal("[secret]");
    expect(hide("")).to.equal("");
  });
});

import { expect } from "chai";
import { changedNames } from "../../tools/tour/changed-names";

const DIFF = `
    ~ pulumi-nodejs:dynamic/previewenv:EnvVarSet: (update)
        [id=11111111-1111-4111-8111-111111111142]
      ~ secrets  : {
          ~ DATABASE_URL: [secret] => [secret]
            PAYMENT_KEY : [secret]
        }
      ~ variables: {
          + FEATURE_CHECKOUT: "on"
          - OLD_ONE         : "LOG_LEVEL: x"
            LOG_LEVEL       : "debug"
        }
      ~ branches : {
          ~ web: "main" => "feature/checkout"
        }`;

describe("tour: names in a diff", () => {
  it("are those of the lines that are marked, and no others", () => {
    const names = ["secrets", "DATABASE_URL", "variables", "FEATURE_CHECKOUT", "OLD_ONE", "branches", "web"];
    expect([...changedNames(DIFF)]).to.deep.equal(names);
  });
});

import type { Setting } from "../../../provider/src/framework/settings";
import { documentation } from "./documentation";
import { record, type PropertySpec, type PropertySpecs } from "./property-spec";

/**
 * Stack config, for the `config` module of the SDKs. The environment stands beside what is no secret only: SDKs would
 * print a secret that came from there.
 */
export function configVariables(settings: readonly Setting[]): PropertySpecs {
  return record(settings, (setting) => ({
    ...settingSpec(setting),
    ...(setting.default !== undefined && { default: setting.default }),
    ...(!setting.secret && { defaultInfo: { environment: [setting.environment] } }),
  }));
}

/**
 * Arguments of an explicit provider, without any default: an SDK would put it into state, where `refresh` and `destroy`
 * find it, whatever the environment says by then. The provider reads the environment itself.
 */
export function providerSpec(settings: readonly Setting[]) {
  return {
    description: documentation(
      "provider",
      "The settings of a provider. A setting that is left out comes from its environment variable, or else has its default.",
    ),
    // SDKs cannot read other types back from a provider.
    properties: record(
      settings.filter(({ type }) => type === "string"),
      settingSpec,
    ),
    inputProperties: record(settings, settingSpec),
  };
}

function settingSpec(setting: Setting): PropertySpec {
  const { type, description, environment, secret } = setting;
  const fallback = setting.default === undefined ? "" : ` Default: \`${String(setting.default)}\`.`;
  return {
    description: `${description}${fallback} Environment variable: \`${environment}\`.`,
    type,
    ...(secret && { secret: true }),
  };
}

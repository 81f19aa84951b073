import { nativeHost } from "./native-host";
import * as dynamic from "./provider";

/**
 * Settings for the resources and functions of the plugin that it is given to as `provider`, such as a second
 * organization's token. Settings that it is not given come from stack config; environment variables are read by the plugin
 * itself.
 */
export class Provider extends dynamic.Provider {
  protected static override readonly host = nativeHost;
}

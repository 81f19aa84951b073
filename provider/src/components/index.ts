import type { Component } from "../framework/component";
import { previewEnvironment } from "./preview-environment";

/** Every component that the plugin serves, in the order of the reference. */
export const components: readonly Component[] = [previewEnvironment];

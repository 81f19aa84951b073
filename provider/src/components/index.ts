import type { Component } from "../framework/component";
import { previewEnvironment } from "./preview-environment";
import { previewEnvironments } from "./preview-environments";

/** Every component that the plugin serves, in the order of the reference. */
export const components: readonly Component[] = [previewEnvironment, previewEnvironments];

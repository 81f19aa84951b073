import type * as pulumi from "@pulumi/pulumi";
import type { Given } from "./inputs";

export function register(_type: string, _name: string, _args: Given, _resource: pulumi.Resource): void {}

import { builds } from "./builds";
import { claims } from "./claims";
import { client } from "./client";
import type { Mutation } from "./mutation";
import { reads } from "./reads";
import { writes } from "./writes";

/** Bugs that the simulation must find. */
export const mutations: readonly Mutation[] = [...writes, ...reads, ...claims, ...builds, ...client];

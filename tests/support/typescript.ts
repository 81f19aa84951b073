/** Arguments of Node with which it runs the TypeScript of the checkout in whose folder it is. Users' programs and processes run the build. */
export const TYPESCRIPT: readonly string[] = ["-r", "ts-node/register"];

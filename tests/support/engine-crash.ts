/** The engine dies, and with it everything it has started. */
export class EngineCrash extends Error {}

import * as z from "zod";

/**
 * A text of one line that names something on the service, such as a branch. A text from a command or a file often ends with a line
 * break: then it names something else, which does not exist.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
export const lineField = z.string().regex(/^[^\u0000-\u001F\u007F-\u009F\u2028\u2029]*$/u);

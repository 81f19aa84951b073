import { TOKEN_ADVICE } from "../client/error-text";
import { PreviewenvError } from "../client/errors";

const ADVICE =
  "refresh and destroy use the stack config of the last `pulumi up`: after a change of the token there, run `pulumi up` " +
  "first, or refresh and destroy with --run-program.";

/**
 * Runs a read or a delete. The engine does not run the program for these and gives the provider the settings of the last
 * `up`, so an error about the token says that, too.
 */
export async function withLastSettings<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (PreviewenvError.isInstance(error) && error.message.includes(TOKEN_ADVICE)) error.message += ` ${ADVICE}`;
    throw error;
  }
}

import { followAll } from "./follow";
import { withPlugin } from "./guides";

followAll(withPlugin);

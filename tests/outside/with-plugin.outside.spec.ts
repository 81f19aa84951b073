import { followAll } from "./attempt";
import { withPlugin } from "./guides";

followAll(withPlugin);

import { followAll } from "./attempt";
import { firstSteps } from "./guides";

followAll(firstSteps);

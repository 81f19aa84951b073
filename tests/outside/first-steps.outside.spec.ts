import { followAll } from "./follow";
import { firstSteps } from "./guides";

followAll(firstSteps);

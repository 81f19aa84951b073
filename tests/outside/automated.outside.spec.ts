import { followAll } from "./attempt";
import { automated } from "./guides";

followAll(automated);

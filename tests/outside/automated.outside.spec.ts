import { followAll } from "./follow";
import { automated } from "./guides";

followAll(automated);

import { describeCompared } from "./simulated/compared";
import { failures, orders } from "./simulated/recorded";

describeCompared([...failures, ...orders]);

import { describeCompared } from "./simulated/compared";
import { failures } from "./simulated/recorded";

describeCompared(failures);

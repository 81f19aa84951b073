import { describeCompared } from "./simulated/compared";
import { orders } from "./simulated/recorded";

describeCompared(orders);

export { type Bounds, wideInterval } from "../figures/wide-interval.js";

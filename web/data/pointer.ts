export { pointerPart, valueAt } from "../../src/figures/pointer.js";

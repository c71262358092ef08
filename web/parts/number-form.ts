export { formatNumber, type NumberForm } from "../../src/figures/number-form.js";

import { binomialCdf } from "../../../stats/distributions/binomial-cdf.js";
import { hoeffdingBentkus } from "../../../stats/tests/hoeffding-bentkus.js";

/** p-value of "the risk of these n rows is above `risk`": exact for losses of 0 and 1, Hoeffding–Bentkus for those between. */
export function riskPValue(k: number, n: number, risk: number, binary: boolean): number {
  if (n === 0) return 1;
  return binary ? binomialCdf(k, n, risk) : hoeffdingBentkus(Math.min(k, n), n, risk);
}

/** Rates are ratios of counts: 27 of 30 must meet 0.90, which as a double is a little more than 27/30. */
export const LIMIT_SLACK = 1e-9;

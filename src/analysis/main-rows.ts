/** The rows that analysis is about: no special arm, the first replicate. */
export const MAIN_ROWS = "arm = '' AND replicate = 0";

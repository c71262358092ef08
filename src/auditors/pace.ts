/** What a server said about its limits, in plain numbers. null: it did not say. */
export interface Pace {
  limitRequests: number | null;
  remainingRequests: number | null;
  /** Milliseconds until the requests are full again. */
  resetRequestsMs: number | null;
  limitTokens: number | null;
  remainingTokens: number | null;
  resetTokensMs: number | null;
}

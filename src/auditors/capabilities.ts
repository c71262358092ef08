/** What a model was seen to give in one cheap call. */
export interface Capabilities {
  /** Token probabilities came back. An answer whose probabilities are null means no. */
  logprobs: boolean;
  /** How many candidates a token had at most. */
  topLogprobs: number;
  answersPerCall: number;
  /** It keeps to a JSON schema. */
  structuredOutput: boolean;
  space: "raw" | "tempered" | "unknown";
  /** Which server's habits apply. */
  dialect: string;
  /** The model as the server names it. */
  model: string;
  /** What a user should know, in sentences: what was refused and in which words. */
  notes: string[];
  costUsd: number | null;
}

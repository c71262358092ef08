import type { Candidate, Planned, PlannedToken } from "./plan-answer.js";
import { printToken, reportedBytes } from "./print-token.js";
import type { Traits } from "./traits.js";
import type { VocabularyToken } from "./vocabulary.js";
import { float, Literal } from "./write-json.js";

/** A token as a server writes it, before it is put into the server's shape. */
export interface WireAlternative {
  id: number;
  text: string;
  /** null: has none, or is not told. undefined: the field is absent. */
  bytes: number[] | null | undefined;
  logprob: Literal;
}

export interface WireToken extends WireAlternative {
  top: WireAlternative[];
}

export interface Rendering {
  temperature: number;
  /** How many candidates were asked for. */
  top: number;
  /** Whether a grammar held the answer to a schema. */
  masked: boolean;
}

/** The answer's tokens in one server's habits. */
export function renderTokens(planned: Planned, traits: Traits, rendering: Rendering): WireToken[] {
  return planned.tokens.map((token) => renderToken(token, traits, rendering));
}

interface Ranked {
  token: VocabularyToken;
  /** null: no information. */
  logprob: number | null;
}

function renderToken(planned: PlannedToken, traits: Traits, rendering: Rendering): WireToken {
  const ranked = reportedDistribution(planned, traits, rendering);
  const wire = ({ token, logprob }: Ranked): WireAlternative => ({
    id: token.id,
    text: printToken(token, traits.half),
    bytes: reportedBytes(token, traits),
    logprob: logprob === null ? new Literal(traits.sentinel) : float(logprob),
  });
  const rank = ranked.findIndex(({ token }) => token.id === planned.token.id);
  const chosen = ranked[rank]!;
  const hidden = traits.outside === "sentinel" && rank >= 20;
  const list = traits.order === "sampled_first" ? [chosen, ...ranked.filter((entry) => entry !== chosen)] : ranked;
  return {
    ...wire(hidden ? { token: chosen.token, logprob: null } : chosen),
    top: list.slice(0, rendering.top).map(wire),
  };
}

/** What the server says the distribution was: after the mask or before it, tempered or raw. Best first, the unknown last. */
export function reportedDistribution(planned: PlannedToken, traits: Traits, rendering: Rendering): Ranked[] {
  const masks = rendering.masked && traits.mask === "after";
  const passes = (candidate: Candidate): boolean => candidate.logprob !== null && (!masks || candidate.legal);
  const tailPasses = !masks || planned.kind === "free";
  const exponent = traits.space === "tempered" && rendering.temperature > 0 ? 1 / rendering.temperature : 1;
  const known = planned.candidates.filter(passes);
  const largest = known[0]!.logprob!;
  let total = 0;
  for (const { logprob } of known) total += Math.exp(exponent * (logprob! - largest));
  const { mass, tokens } = planned.tail;
  if (tailPasses && mass > 0) total += tokens * Math.exp(exponent * (Math.log(mass / tokens) - largest));
  const rescaled = masks || exponent !== 1;
  return [
    ...known.map(({ token, logprob }) => ({
      token,
      logprob: rescaled ? Math.min(0, exponent * (logprob! - largest) - Math.log(total)) : logprob,
    })),
    ...planned.candidates.filter((candidate) => !passes(candidate)).map(({ token }) => ({ token, logprob: null })),
  ];
}

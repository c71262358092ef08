/** Symbols of docs/notation.md that the views use most, in plain words, in the order in which a reader meets them. */
export interface KeyTerm {
  /** As in docs/notation.md. */
  symbol: string;
  name: string;
  plain: string;
}

export const KEY_TERMS: readonly KeyTerm[] = [
  {
    symbol: "DI",
    name: "Defensibility Index (DI)",
    plain:
      "Of 100 decisions, how many follow from the written rules. High is good. It says nothing about whether people would have decided the same.",
  },
  {
    symbol: "AI",
    name: "Ambiguity Index (AI)",
    plain:
      "Of 100 decisions, for how many the opposite could have been derived from the same rules. Low is good. It also counts decisions that are wrong, where only the opposite follows.",
  },
  {
    symbol: "AI_pure",
    name: "Pure ambiguity (pure AI)",
    plain:
      "The part of the ambiguity in which decision and opposite both follow: there the rules, and not the decider, are unclear.",
  },
  {
    symbol: "accuracy",
    name: "Agreement (accuracy)",
    plain: "Of 100 decisions that people labelled, how many are the same as the label.",
  },
  {
    symbol: "F1",
    name: "F1",
    plain:
      "The usual score of agreement on the action that restricts. It falls when that action is rare, and when people and decider read open rules differently.",
  },
  {
    symbol: "gap, DI − F1",
    name: "Gap",
    plain:
      "How much better decisions are by the rules than by agreement. It is one sign of the agreement trap; the other is decisions that all agree on and no rule supports.",
  },
  {
    symbol: "root causes",
    name: "Root causes of disagreement",
    plain:
      "Why decider and person differ: the decider is wrong, the rules leave it open, or the person follows a norm that is not written down.",
  },
  {
    symbol: "state",
    name: "State of a community",
    plain: "What defensibility and ambiguity together say about it, against the limits of the gate.",
  },
  {
    symbol: "paper gate",
    name: "Raw gate (--mode paper)",
    plain: "Lets a community through by its rates as they are. Luck may help a small one, and nothing is promised.",
  },
  {
    symbol: "cautious gate",
    name: "Cautious gate (--mode shrunk)",
    plain:
      "Draws the rates of small communities towards the average of all before it compares them with the limits, so that few pass by luck. The default.",
  },
  {
    symbol: "proven gate",
    name: "Proven gate (--mode certified)",
    plain:
      "Lets a community through only where its decisions prove that both limits are kept, whatever the others are like.",
  },
  {
    symbol: "S",
    name: "Probabilistic Defensibility Signal (S, PDS)",
    plain:
      "How sure the auditor was, in one number from 0 to 1, made of the three parts below. It is not a probability.",
  },
  {
    symbol: "ξ*, λ_ξ",
    name: "Confidence in the level (λ)",
    plain: "How sure the auditor was of the level it would give: 0 is certain, and the more negative, the less sure.",
  },
  {
    symbol: "H[κ]",
    name: "Uncertainty of the citation (H[κ])",
    plain: "How much the auditor wavered between words while it wrote down which rule it cites: 0 is not at all.",
  },
  {
    symbol: "H[w]",
    name: "Uncertainty of the precedents' weight (H[w])",
    plain: "How much the auditor wavered over how far precedents count: 0 is not at all.",
  },
  {
    symbol: "ρ, σ(ρ)",
    name: "Probability that the opposite holds (σ(ρ))",
    plain: "How probable the auditor found it that the opposite decision could be derived too.",
  },
  {
    symbol: "p_defensible",
    name: "Probability of being defensible",
    plain: "The auditor's own probability that a decision follows from the rules, as it gave it.",
  },
  {
    symbol: "P(defensible)",
    name: "Calibrated probability",
    plain: "The same, corrected so that of decisions with 80% about 80 in 100 really follow from the rules.",
  },
  {
    symbol: "grounded, scope",
    name: "Grounded citation",
    plain: "What the audit cites is really in a rule or a precedent that applied.",
  },
  {
    symbol: "design effect",
    name: "Design effect",
    plain: "How much less decisions tell because those of one community or thread resemble each other.",
  },
  {
    symbol: "Wilson",
    name: "Interval",
    plain:
      "The range in which the true share plausibly lies. Of intervals made like this about 95 in 100 hold it. Few decisions, wide interval.",
  },
];

/** The two actions of a governed process. `positive` is the one that restricts: the positive class of precision and recall. */
export interface Actions {
  positive: string;
  negative: string;
}

export const MODERATION_ACTIONS: Actions = { positive: "remove", negative: "approve" };

/** Whether decisions remove content or leave it up. Without a word on it they do. */
export function isModeration({ positive, negative }: Actions = MODERATION_ACTIONS): boolean {
  return positive === MODERATION_ACTIONS.positive && negative === MODERATION_ACTIONS.negative;
}

/** The other action. */
export function oppositeAction(actions: Actions, action: string): string {
  return action === actions.positive ? actions.negative : actions.positive;
}

/** The action a foreign spelling stands for (case and surrounding space are ignored), or null. */
export function parseAction(actions: Actions, value: string): string | null {
  const wanted = value.trim().toLowerCase();
  if (wanted === actions.positive.toLowerCase()) return actions.positive;
  if (wanted === actions.negative.toLowerCase()) return actions.negative;
  return null;
}

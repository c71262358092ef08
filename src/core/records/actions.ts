/** One of several actions. A greater severity is a harsher action; only differences between severities have a meaning. */
export interface ActionStep {
  name: string;
  severity: number;
}

/**
 * The actions of a governed process. `positive` restricts: it is the positive class of precision and recall. With more than two, `all` lists them,
 * mildest first; `positive` is the mildest that restricts (and so do all above it), and `negative` is the mildest of all.
 */
export interface Actions {
  positive: string;
  negative: string;
  /** Only if there are more than two. */
  all?: ActionStep[] | undefined;
}

/** Numbers are stored under the names of actions, and not all JSON readers keep this key. */
const RESERVED = "__proto__";

/** Two: the next milder and the next more severe action. */
export const MOST_ALTERNATIVES = 2;

export const MODERATION_ACTIONS: Actions = { positive: "remove", negative: "approve" };

/** Whether decisions remove content or leave it up. This is the default. */
export function isModeration({ positive, negative, all }: Actions = MODERATION_ACTIONS): boolean {
  return !all && positive === MODERATION_ACTIONS.positive && negative === MODERATION_ACTIONS.negative;
}

/** The names of all actions: with two, the restricting one first; with more, the mildest first. */
export function actionNames({ positive, negative, all }: Actions): string[] {
  return all ? all.map(({ name }) => name) : [positive, negative];
}

/** "remove or approve"; "allow, label or ban". */
export function actionChoice(actions: Actions): string {
  const names = actionNames(actions);
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

export function isAction(actions: Actions, value: unknown): value is string {
  if (value === actions.positive || value === actions.negative) return true;
  return actions.all?.some(({ name }) => name === value) ?? false;
}

/** Whether an action is the positive one or, with more than two, at least as severe. */
export function isRestricting(actions: Actions, action: string): boolean {
  const { positive, all } = actions;
  if (!all || action === positive) return action === positive;
  return placeOf(all, action) > placeOf(all, positive);
}

/** The actions that restrict, and the others. */
export function actionSides(actions: Actions): { restricting: string[]; other: string[] } {
  const names = actionNames(actions);
  return {
    restricting: names.filter((name) => isRestricting(actions, name)),
    other: names.filter((name) => !isRestricting(actions, name)),
  };
}

/** Names of the two sides: with two actions their own, with more those of each side, joined. */
export function sideNames(actions: Actions): { positive: string; negative: string } {
  const { restricting, other } = actionSides(actions);
  return { positive: restricting.join("/"), negative: other.join("/") };
}

/** The other action; with more than two, the mildest on the other side of the boundary between restricting and not. */
export function oppositeAction(actions: Actions, action: string): string {
  return isRestricting(actions, action) ? actions.negative : actions.positive;
}

/**
 * The alternatives to an action that are nearest in severity, at most `count`, nearest first, the milder one first if equally near. The next milder
 * and the next harsher one come before everything beyond them. With two actions it is the other one.
 */
export function nearestActions(actions: Actions, action: string, count = MOST_ALTERNATIVES): string[] {
  const { all } = actions;
  if (!all) return [oppositeAction(actions, action)].slice(0, count);
  const place = placeOf(all, action);
  const own = all[place]!.severity;
  const nearest = all
    .map(({ name, severity }, i) => ({ name, steps: Math.abs(i - place), distance: Math.abs(severity - own) }))
    .filter(({ steps }) => steps > 0)
    .sort((a, b) => a.steps - b.steps || a.distance - b.distance);
  return nearest.slice(0, count).map(({ name }) => name);
}

/** The action that a foreign spelling represents (ignoring case and surrounding space), or null. */
export function parseAction(actions: Actions, value: string): string | null {
  const wanted = value.trim().toLowerCase();
  return actionNames(actions).find((name) => name.toLowerCase() === wanted) ?? null;
}

/** Several actions in order of severity. `restrictsFrom`: the mildest that restricts; default: only the mildest of all does not. */
export function severalActions(
  list: readonly (string | ActionStep)[],
  restrictsFrom: string | undefined = nameOf(list[1]),
): Actions {
  const all = list.map((one, place) => (typeof one === "string" ? { name: one, severity: place } : one));
  return { positive: restrictsFrom ?? "", negative: nameOf(list[0]) ?? "", all };
}

export function sameActions(a: Actions, b: Actions): boolean {
  return JSON.stringify([a.positive, a.negative, a.all]) === JSON.stringify([b.positive, b.negative, b.all]);
}

/** What is wrong with actions, or null. With several, spellings are matched without regard to case, so each name must be unique in that sense. */
export function actionsProblem(actions: Actions): string | null {
  const { positive, negative, all } = actions;
  if (isAction(actions, RESERVED)) return `"${RESERVED}" cannot be the name of an action`;
  if (!all) return positive === negative ? "the two actions must differ" : null;
  const names = all.map(({ name }) => name.toLowerCase());
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) return `"${twice}" is named twice`;
  if (all.some(({ severity }, i) => i > 0 && !(severity > all[i - 1]!.severity))) {
    return "severities must rise from each action to the next: the mildest comes first";
  }
  if (negative !== all[0]!.name) return `negative: got "${negative}", expected the mildest action, "${all[0]!.name}"`;
  if (all.slice(1).some(({ name }) => name === positive)) return null;
  return `positive: got "${positive}", expected the mildest action that restricts: one of the list, but not the first`;
}

/**
 * Actions written in one line: `POSITIVE,NEGATIVE`; or three and more, mildest first, `allow,label/limit,remove`. Without a slash all but the first
 * restrict. RangeError with what was expected.
 */
export function readActions(text: string): Actions {
  const sides = text.split("/").map((side) => side.split(",").map((name) => name.trim()));
  const names = sides.flat();
  const [positive = "", negative = ""] = names;
  const two = names.length < 3;
  if (!names.every(Boolean) || (two ? !negative || positive === negative : false) || sides.length > (two ? 1 : 2)) {
    throw new RangeError(
      "expected two different actions, the restricting one first: POSITIVE,NEGATIVE; or three or more, mildest first: allow,label,remove.",
    );
  }
  const actions = two
    ? { positive, negative }
    : severalActions(names, names[sides.length === 1 ? 1 : sides[0]!.length]);
  const problem = actionsProblem(actions);
  if (problem !== null) throw new RangeError(`${problem}.`);
  return actions;
}

/** Actions in the form that `readActions` reads. */
export function actionsText(actions: Actions): string {
  if (!actions.all) return `${actions.positive},${actions.negative}`;
  const { restricting, other } = actionSides(actions);
  return `${other.join(",")}/${restricting.join(",")}`;
}

function nameOf(one: string | ActionStep | undefined): string | undefined {
  return typeof one === "string" ? one : one?.name;
}

function placeOf(all: readonly ActionStep[], action: string): number {
  const place = all.findIndex(({ name }) => name === action);
  if (place >= 0) return place;
  throw new RangeError(`action: got ${action}, expected one of ${all.map(({ name }) => name).join(", ")}`);
}

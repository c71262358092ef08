import { CUE } from "./cues.js";
import { ENOUGH } from "./score.js";

/** Whether words with these cues could be an attempt: the most points that `injection-score.ts` could give them, all in one sentence. */
export function couldAddUp(found: number): boolean {
  const has = (cue: number) => (found & cue) !== 0;
  const worth = (condition: boolean, points: number) => (condition ? points : 0);
  const says = has(CUE.say);
  const listener = has(CUE.auditor | CUE.machine);
  const level = has(CUE.level) && has(CUE.one);
  const wanted = has(CUE.orders | CUE.rules);
  const reach = worth(has(CUE.prior), 1) + worth(has(CUE.all), 1);
  const isSkipped = has(CUE.skip) || (has(CUE.follow) && has(CUE.not));
  const isGranted = has(CUE.approve | CUE.complies | CUE.skip) || (has(CUE.follow | CUE.approve) && has(CUE.not));
  const points =
    worth(wanted && has(CUE.override), 2 + reach) +
    worth(wanted && !has(CUE.override) && isSkipped, 1 + reach) +
    worth(!wanted && has(CUE.override) && reach === 2, 2) +
    worth(level, 1 + worth(says, 2) + worth(has(CUE.must), 1) + worth(has(CUE.decision), 1)) +
    worth(has(CUE.result), 1 + worth(says, 1) + worth(has(CUE.decision), 1)) +
    worth(says && has(CUE.decision), 1) +
    worth(says && has(CUE.complies), 2) +
    worth(has(CUE.inverse) && has(CUE.yesNo), 2) +
    worth(has(CUE.field), 4) +
    worth(says && has(CUE.approve) && has(CUE.post), 1) +
    worth(has(CUE.auditor), 1) +
    worth(has(CUE.machine), 1) +
    worth(listener, 1 + worth(has(CUE.must), 1)) +
    worth(has(CUE.you) && has(CUE.be) && (listener || has(CUE.moderator)), 3) +
    worth(has(CUE.role), 2) +
    worth(has(CUE.authority), 1) +
    worth(has(CUE.threat) && (has(CUE.you) || listener), 2) +
    worth(has(CUE.you) && has(CUE.all) && has(CUE.format), 1 + worth(says || has(CUE.only), 1)) +
    worth(has(CUE.you) && has(CUE.all) && has(CUE.orders), 1) +
    worth(has(CUE.you) && has(CUE.not) && has(CUE.follow), 1) +
    worth((wanted || has(CUE.decision)) && (has(CUE.approve) || (isGranted && has(CUE.all | CUE.only | CUE.not))), 4);
  return points >= ENOUGH;
}

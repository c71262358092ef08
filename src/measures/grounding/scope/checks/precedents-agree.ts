import { type Check, fail, pass, skip } from "./finding.js";

/** A precedent this like the content says how such content is treated. */
const ALIKE = 0.25;

/** The precedent most like the content was decided the same way, or is outweighed by the next ones. */
export const precedentsAgree: Check = ({ precedents, input }) => {
  const alike = precedents.filter(({ likeness }) => likeness >= ALIKE).slice(0, 3);
  if (alike.length === 0) return skip("No precedent is like the content.");
  let same = 0;
  let other = 0;
  for (const { decision, likeness } of alike) {
    if (decision === input.decision) same += likeness;
    else other += likeness;
  }
  if (other <= same)
    return pass(`Precedent ${alike[0]!.id}, the one most like the content, does not speak against it.`);
  const against = alike.find(({ decision }) => decision !== input.decision)!;
  return fail(`Precedent ${against.id} is like the content and was decided the other way.`, other - same);
};

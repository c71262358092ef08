import type { Auditor } from "../../auditors/auditor.js";
import type { AuditTools } from "../audit-one.js";

/** Asks an auditor that computes in this process: one try, nothing to wait for. */
export function askHere(auditor: Auditor): AuditTools["ask"] {
  return (question) => {
    const started = performance.now();
    const answers = auditor.ask(question);
    const done = ({ generations }: Awaited<typeof answers>) =>
      generations.map((generation) => ({
        generation,
        attempts: 1,
        cached: false,
        latencyMs: performance.now() - started,
      }));
    return answers instanceof Promise ? answers.then(done) : done(answers);
  };
}

import type { Auditor } from "../../auditors/auditor.js";
import { CallError } from "../../auditors/call-error.js";
import type { Capabilities } from "../../auditors/capabilities.js";
import { backoffMs, wait } from "./backoff.js";
import { Patience, type PatienceOptions } from "./patience.js";
import { RunHalted } from "./run-halted.js";
import { unlessStopped } from "./unless-stopped.js";

/** As calls have. */
const MAX_TRIES = 6;
/** A server that is not there, or says nothing for minutes: that is worth saying soon. */
const MAX_SILENT_TRIES = 2;
const NOT_THERE = /refused the connection|no such host|ECONNREFUSED|ENOTFOUND|EAI_AGAIN/;

/** Asks what a model gives, as patiently as calls are made. null: there is nothing to ask. */
export async function probePatiently(
  auditor: Auditor,
  stop: AbortSignal,
  options: Pick<PatienceOptions, "limitMs" | "tell"> = {},
): Promise<Capabilities | null> {
  if (!auditor.probe) return null;
  const patience = new Patience({ name: auditor.name, ...options });
  try {
    for (let tries = 1, slowed = 0; ; tries++) {
      try {
        const found = await unlessStopped(auditor.probe(), stop);
        patience.succeeded();
        return found;
      } catch (cause) {
        if (!(cause instanceof CallError) || !cause.again || stop.aborted) throw cause;
        if (cause.slower) slowed++;
        const silent = cause.fault === "timeout" || NOT_THERE.test(cause.message);
        if (tries - slowed >= (silent ? MAX_SILENT_TRIES : MAX_TRIES)) throw cause;
        const waitMs = backoffMs(tries, cause.retryAfterMs);
        patience.failed(cause, waitMs);
        await wait(waitMs, stop);
      }
    }
  } catch (cause) {
    throw cause instanceof RunHalted && cause.reason ? cause.reason : cause;
  } finally {
    patience.release();
  }
}

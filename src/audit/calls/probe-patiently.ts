import type { Auditor } from "../../auditors/auditor.js";
import { CallError } from "../../auditors/call-error.js";
import type { Capabilities } from "../../auditors/capabilities.js";
import { backoffMs, wait } from "./backoff.js";
import { unlessStopped } from "./unless-stopped.js";

const MAX_TRIES = 6;
/** A server that refuses connections or says nothing is mostly not there: that is worth saying soon. */
const MAX_SILENT_TRIES = 2;
const LONGEST_WAIT_MS = 60_000;

/** Asks what a model gives; a server that is busy for a moment is asked again. null: there is nothing to ask. */
export async function probePatiently(auditor: Auditor, stop: AbortSignal): Promise<Capabilities | null> {
  if (!auditor.probe) return null;
  for (let tries = 1; ; tries++) {
    try {
      return await unlessStopped(auditor.probe(), stop);
    } catch (cause) {
      if (!(cause instanceof CallError) || !cause.again || stop.aborted) throw cause;
      const most = cause.fault === "connection" || cause.fault === "timeout" ? MAX_SILENT_TRIES : MAX_TRIES;
      if (tries >= most || (cause.retryAfterMs ?? 0) > LONGEST_WAIT_MS) throw cause;
      await wait(backoffMs(tries, cause.retryAfterMs), stop);
    }
  }
}

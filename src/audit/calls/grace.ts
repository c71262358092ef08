/** How long calls in flight may go on after somebody asked to stop. */
const GRACE_MS = 5000;

export interface Grace {
  /** Given to calls: ends those that are still in flight. */
  signal: AbortSignal;
  release(): void;
}

/** A signal that follows a request to stop by five seconds. */
export function graceAfter(stop: AbortSignal): Grace {
  const abandon = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  const onStop = () => {
    timer = setTimeout(() => abandon.abort(), GRACE_MS);
  };
  if (stop.aborted) onStop();
  else stop.addEventListener("abort", onStop, { once: true });
  return {
    signal: abandon.signal,
    release() {
      stop.removeEventListener("abort", onStop);
      if (timer) clearTimeout(timer);
    },
  };
}

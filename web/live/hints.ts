import { useEffect, useSyncExternalStore } from "react";

/**
 * Hints from the server that something has changed. They carry no data: each view fetches again, so a lost or doubled hint does no harm. One stream
 * serves all views. Where streams are blocked, every view polls.
 */
type Listener = (subject: string) => void;

const listeners = new Set<Listener>();
let stream: EventSource | null = null;
let connected = false;
const watchers = new Set<() => void>();

function setConnected(next: boolean): void {
  if (connected === next) return;
  connected = next;
  for (const watcher of watchers) watcher();
}

export function startHints(): void {
  if (stream) return;
  stream = new EventSource("/v1/events");
  stream.addEventListener("open", () => setConnected(true));
  // The browser reconnects by itself unless the server refuses streams.
  stream.addEventListener("error", () => setConnected(false));
  const heard = (event: MessageEvent<string>) => {
    setConnected(true);
    for (const listener of listeners) listener(subjectOf(event.data));
  };
  stream.addEventListener("message", heard);
  stream.addEventListener("hint", heard as EventListener);
}

export function stopHints(): void {
  stream?.close();
  stream = null;
  setConnected(false);
}

function subjectOf(data: string): string {
  try {
    const hint = JSON.parse(data) as { subject?: unknown; kind?: unknown };
    return String(hint.kind ?? hint.subject ?? "");
  } catch {
    return data;
  }
}

export function useConnected(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => connected,
  );
}

/** Hints come in bursts; views fetch once per burst. */
const TOGETHER_MS = 400;
const POLL_MS = 4000;
const POLL_CONNECTED_MS = 30_000;

/** Calls again after hints, and periodically while the page is visible. `steady`: no slower with hints, for data that no hint announces. */
export function useRefresh(again: () => void, pollMs = POLL_MS, steady = false): void {
  const live = useConnected();
  useEffect(() => {
    let timer = 0;
    const soon = () => {
      if (timer === 0) {
        timer = window.setTimeout(() => {
          timer = 0;
          again();
        }, TOGETHER_MS);
      }
    };
    const poll = window.setInterval(
      () => document.visibilityState === "visible" && again(),
      live && !steady ? Math.max(pollMs, POLL_CONNECTED_MS) : pollMs,
    );
    listeners.add(soon);
    document.addEventListener("visibilitychange", soon);
    return () => {
      listeners.delete(soon);
      document.removeEventListener("visibilitychange", soon);
      window.clearInterval(poll);
      window.clearTimeout(timer);
    };
  }, [again, live, pollMs, steady]);
}

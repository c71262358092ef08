/** A refusal by the server, in its own words. `code` is stable. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const SIGNED_OUT = "signed-out";

export function onSignedOut(listener: () => void): () => void {
  window.addEventListener(SIGNED_OUT, listener);
  return () => window.removeEventListener(SIGNED_OUT, listener);
}

export interface Answer<T> {
  body: T;
  etag: string | null;
}

async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refused(0, "away", "The server cannot be reached.");
  }
  if (response.ok) return { body: (await response.json()) as T, etag: response.headers.get("etag") };
  const problem = (await response.json().catch(() => ({}))) as { code?: string; detail?: string; title?: string };
  if (response.status === 401) window.dispatchEvent(new Event(SIGNED_OUT));
  throw new Refused(response.status, problem.code ?? "unknown", problem.detail ?? problem.title ?? response.statusText);
}

export const api = {
  get: <T>(path: string) => ask<T>("GET", path),
  post: <T>(path: string, body: unknown = {}, headers?: Record<string, string>) => ask<T>("POST", path, body, headers),
  put: <T>(path: string, body: unknown) => ask<T>("PUT", path, body),
  remove: <T>(path: string) => ask<T>("DELETE", path),
};

export function whyNot(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

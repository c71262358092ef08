export function findBrowser(env?: Record<string, string | undefined>): string | null;
export function candidates(env: Record<string, string | undefined>): string[];

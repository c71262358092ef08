import type { Replicate } from "../src/experiments/study/result.js";

/** docs/replicate.md. */
export function readPage(): string;
/** The kept result of `defensible replicate --preset paper`. */
export function readStored(): Replicate;
/** The page with its tables made anew. Throws where the page has no place for them. */
export function render(page: string, result: Replicate, markdownOf: (result: Replicate) => string): string;
/** What the page needs of a result. */
export function slim(result: Replicate): Replicate;

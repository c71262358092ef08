import { z } from "zod";

/** What was decided about: plain text, or a post with parts. */
export const contentSchema = z.union([
  z.string(),
  z.looseObject({
    title: z.string().nullish(),
    body: z.string(),
    kind: z.string().nullish(),
    language: z.string().nullish(),
    context: z.array(z.string()).nullish(),
    url: z.string().nullish(),
    media: z.array(z.unknown()).nullish(),
  }),
]);

export type Content = z.infer<typeof contentSchema>;

export interface ContentParts {
  title: string;
  body: string;
  kind: string | null;
  language: string | null;
  context: readonly string[];
  url: string | null;
  hasMedia: boolean;
}

const NO_CONTEXT: readonly string[] = [];

/** One shape for both forms of content. */
export function contentParts(content: Content): ContentParts {
  if (typeof content === "string") {
    return { title: "", body: content, kind: null, language: null, context: NO_CONTEXT, url: null, hasMedia: false };
  }
  return {
    title: content.title ?? "",
    body: content.body,
    kind: content.kind ?? null,
    language: content.language ?? null,
    context: content.context ?? NO_CONTEXT,
    url: content.url ?? null,
    hasMedia: (content.media?.length ?? 0) > 0,
  };
}

/** Title and body as one text. */
export function contentText(content: Content): string {
  if (typeof content === "string") return content;
  return content.title ? `${content.title}\n${content.body}` : content.body;
}

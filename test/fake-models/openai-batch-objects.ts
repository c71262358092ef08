import type { Json } from "./question.js";

export interface FakeFile {
  id: string;
  filename: string;
  purpose: string;
  content: Buffer;
}

export interface FakeBatch {
  kind: "openai";
  id: string;
  endpoint: string;
  inputFile: string;
  metadata: Json | null;
  status: string;
  polls: number;
  total: number;
  completed: number;
  failed: number;
  errors: Json[] | null;
  outputFile: string | null;
  errorFile: string | null;
}

const CREATED = 1_763_200_000;

/** A file as the API describes it. */
export function fileObject({ id, filename, purpose, content }: FakeFile): Json {
  return {
    object: "file",
    id,
    purpose,
    filename,
    bytes: content.length,
    created_at: CREATED,
    expires_at: null,
    status: "processed",
    status_details: null,
  };
}

/** A batch as the API describes it. */
export function batchObject(batch: FakeBatch): Json {
  const at = (status: string): number | null => (batch.status === status ? CREATED + 60 : null);
  return {
    id: batch.id,
    object: "batch",
    endpoint: batch.endpoint,
    errors: batch.errors && batch.errors.length > 0 ? { object: "list", data: batch.errors } : null,
    input_file_id: batch.inputFile,
    completion_window: "24h",
    status: batch.status,
    output_file_id: batch.outputFile,
    error_file_id: batch.errorFile,
    created_at: CREATED,
    in_progress_at: CREATED + 1,
    expires_at: CREATED + 86_400,
    finalizing_at: null,
    completed_at: at("completed"),
    failed_at: at("failed"),
    expired_at: at("expired"),
    cancelling_at: at("cancelled"),
    cancelled_at: at("cancelled"),
    request_counts: { total: batch.total, completed: batch.completed, failed: batch.failed },
    metadata: batch.metadata,
  };
}

/** A page of a list. */
export function list(data: Json[], query: string): Json {
  const search = new URLSearchParams(query);
  const after = data.findIndex(({ id }) => id === search.get("after"));
  const limit = Number(search.get("limit") ?? 20);
  const page = data.slice(after + 1, after + 1 + limit);
  return {
    object: "list",
    data: page,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: after + 1 + limit < data.length,
  };
}

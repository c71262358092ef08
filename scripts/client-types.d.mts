interface Operation {
  summary: string;
  description: string;
  responses: Record<string, unknown>;
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
}

export function clientTypes(document: OpenApi): string;

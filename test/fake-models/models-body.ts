import type { Json } from "./question.js";
import { type Dialect, TRAITS } from "./traits.js";

/** The list of models, from whose form a client can tell the server. */
export function modelsBody(dialect: Dialect, models: readonly string[] = ["fake-model"], path = "/v1/models"): unknown {
  const entries = models.map((id) => entry(dialect, id));
  const one = /\/models\/([^/]+)$/.exec(path)?.[1];
  if (one !== undefined) return entries.find(({ id }) => id === one) ?? entries[0];
  switch (dialect) {
    case "together":
      return entries;
    case "openrouter":
      return { data: entries };
    case "llamacpp":
      return { models: models.map((name) => ({ name, model: name, type: "model" })), object: "list", data: entries };
    default:
      return { object: "list", data: entries };
  }
}

function entry(dialect: Dialect, id: string): Json {
  const head = { id, object: "model", created: 1_763_200_000 };
  const owner = TRAITS[dialect].ownedBy;
  switch (dialect) {
    case "vllm":
      return { ...head, owned_by: owner, root: id, parent: null, max_model_len: 32_768, permission: [] };
    case "sglang":
      return { ...head, owned_by: owner, root: id, parent: null, max_model_len: 32_768 };
    case "llamacpp":
      return { ...head, owned_by: owner, meta: { vocab_type: 2, n_vocab: 32_000, n_ctx_train: 32_768, size: 1 } };
    case "lmstudio":
      return { id, object: "model", owned_by: owner };
    case "openrouter":
      return {
        id,
        name: id,
        created: head.created,
        context_length: 128_000,
        supported_parameters: ["logprobs", "top_logprobs"],
      };
    case "together":
      return { ...head, type: "chat", organization: "Fake", context_length: 32_768 };
    case "azure":
      return { id, object: "model", status: "succeeded", capabilities: { chat_completion: true } };
    default:
      return { ...head, owned_by: owner };
  }
}

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EnvironmentError, InputError } from "../../core/errors.js";
import { RawHeaders } from "../http/raw-response.js";
import { detectDialect, dialectOfUrl, openaiAccess, parseBaseUrl, showBaseUrl } from "./access.js";
import { DIALECTS } from "./request-shape.js";

const URL_8000 = parseBaseUrl("http://localhost:8000/v1");

function detect(data: object[], headers: Record<string, string> = {}, url = URL_8000) {
  return detectDialect(url, "m", { headers: new RawHeaders(headers), body: { object: "list", data } });
}

describe("dialectOfUrl", () => {
  it.each([
    ["https://api.openai.com/v1", "openai"],
    ["https://res.openai.azure.com/openai/v1", "azure"],
    ["https://res.cognitiveservices.azure.com/openai/v1", "azure"],
    ["https://openrouter.ai/api/v1", "openrouter"],
    ["https://api.together.xyz/v1", "together"],
    ["https://api.fireworks.ai/inference/v1", "fireworks"],
    ["https://api.deepseek.com", "deepseek"],
    ["https://api.anthropic.com/v1", "anthropic"],
  ])("knows %s as %s", (address, name) => {
    expect(dialectOfUrl(parseBaseUrl(address), undefined)?.name).toBe(name);
  });

  it.each(["http://localhost:8000/v1", "https://myopenrouter.ai/v1", "https://api.openai.com.evil.example/v1"])(
    "does not know %s",
    (address) => {
      expect(dialectOfUrl(parseBaseUrl(address), undefined)).toBeNull();
    },
  );

  it("believes the user first, and names all dialects to one who errs", () => {
    expect(dialectOfUrl(parseBaseUrl("https://api.openai.com/v1"), "sglang")?.name).toBe("sglang");
    expect(() => dialectOfUrl(URL_8000, "VLLM")).toThrow(/expected one of: openai, azure, vllm/);
  });
});

describe("detectDialect", () => {
  it.each([
    ["vllm", "vllm"],
    ["sglang", "sglang"],
    ["llamacpp", "llamacpp"],
    ["library", "ollama"],
    ["organization_owner", "lmstudio"],
    ["me", "generic"],
    ["constructor", "generic"],
  ])("takes models owned by %s for %s", (owned_by, name) => {
    expect(detect([{ id: "m", owned_by }]).dialect.name).toBe(name);
  });

  it("goes by headers, then by the usual port, else it is generic", () => {
    expect(detect([], { server: "llama.cpp" }).dialect.name).toBe("llamacpp");
    expect(detect([{ id: "m", owned_by: "openai" }], { "x-litellm-version": "1" }).dialect.name).toBe("litellm");
    expect(detect([], {}, parseBaseUrl("http://localhost:11434/v1")).dialect.name).toBe("ollama");
    expect(detectDialect(parseBaseUrl("http://localhost:1234/v1"), "m", null).dialect.name).toBe("lmstudio");
    expect(detectDialect(URL_8000, "m", null).dialect.name).toBe("generic");
  });

  it("survives lists that are none", () => {
    for (const body of [null, "x", [], {}, { data: null }, { data: "x" }, { data: [null, 1, "a", { owned_by: 7 }] }]) {
      expect(detectDialect(URL_8000, "m", { headers: new RawHeaders({}), body }).dialect.name).toBe("generic");
    }
  });

  it("reads the context of the model asked for", () => {
    expect(
      detect([
        { id: "other", max_model_len: 1 },
        { id: "m", max_model_len: 4096 },
      ]).contextTokens,
    ).toBe(4096);
    expect(detect([{ id: "m", meta: { n_ctx: 2048, n_ctx_train: 131072 } }]).contextTokens).toBe(2048);
    expect(detect([{ id: "m", context_length: 32768 }]).contextTokens).toBe(32768);
    expect(detect([{ id: "m", max_model_len: -1 }]).contextTokens).toBeNull();
  });
});

describe("DIALECTS", () => {
  it("has the facts that signals depend on", () => {
    const facts = [...DIALECTS.values()].map(({ name, space, bytes }) => `${name} ${space} ${bytes}`);
    expect(facts).toEqual([
      "openai raw true",
      "azure raw true",
      "vllm raw lossy",
      "sglang tempered lossy",
      "llamacpp raw true",
      "ollama raw lossy",
      "lmstudio unknown lossy",
      "openrouter unknown lossy",
      "together unknown absent",
      "fireworks unknown lossy",
      "deepseek unknown lossy",
      "litellm unknown absent",
      "anthropic unknown lossy",
      "mistral unknown lossy",
      "generic unknown lossy",
    ]);
  });
});

describe("parseBaseUrl", () => {
  it("keeps the query for every request and forgives what people paste", () => {
    const url = parseBaseUrl("https://r.openai.azure.com/openai/deployments/d/?api-version=2024-10-21");
    expect(url).toMatchObject({
      address: "https://r.openai.azure.com/openai/deployments/d",
      query: { "api-version": "2024-10-21" },
    });
    expect(showBaseUrl(url)).toBe("https://r.openai.azure.com/openai/deployments/d?api-version=2024-10-21");
    expect(parseBaseUrl("http://localhost:8000/v1/chat/completions").address).toBe("http://localhost:8000/v1");
    expect(parseBaseUrl("https://r.openai.azure.com").address).toBe("https://r.openai.azure.com/openai/v1");
  });

  it.each(["localhost:8000/v1", "", "ftp://x/v1", "http://user:pw@host/v1", "https://host/v1?api_key=abc"])(
    "refuses %j",
    (given) => {
      expect(() => parseBaseUrl(given)).toThrow(InputError);
    },
  );

  it("does not repeat a password", () => {
    expect(() => parseBaseUrl("nonsense://user:hunter2@host")).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining("hunter2") }),
    );
  });
});

describe("openaiAccess", () => {
  beforeEach(() => {
    for (const name of ["OPENAI_API_KEY", "OPENAI_BASE_URL", "AZURE_OPENAI_API_KEY", "OPENROUTER_API_KEY"])
      vi.stubEnv(name, "");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("names the variable that is missing", () => {
    const attempt = () => openaiAccess("openai", "openai:m", {});
    expect(attempt).toThrow(EnvironmentError);
    expect(attempt).toThrow("OPENAI_API_KEY is not set");
  });

  it("needs no key for a server of one's own, but an address", () => {
    const attempt = () => openaiAccess("openai-compatible", "openai-compatible:m", {});
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(expect.objectContaining({ remedy: expect.stringMatching(/11434.*Ollama.*8000.*vLLM/) }));
    const access = openaiAccess("openai-compatible", "openai-compatible:m", { baseUrl: "http://localhost:8000/v1" });
    expect([access.key(), access.dialect, access.secrets()]).toEqual(["none", null, []]);
  });

  it("honours OPENAI_BASE_URL for openai-compatible alone", () => {
    vi.stubEnv("OPENAI_BASE_URL", "http://localhost:9/v1");
    vi.stubEnv("OPENAI_API_KEY", "sk-1234");
    expect(openaiAccess("openai-compatible", "n", {}).url.address).toBe("http://localhost:9/v1");
    expect(openaiAccess("openai", "n", {}).url.address).toBe("https://api.openai.com/v1");
  });

  it("takes the provider's own key before OpenAI's", () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-openai");
    const azure = { baseUrl: "https://r.openai.azure.com" };
    expect(openaiAccess("openai", "n", azure).key()).toBe("sk-openai");
    vi.stubEnv("AZURE_OPENAI_API_KEY", "azure-key");
    const access = openaiAccess("openai", "n", azure);
    expect([access.key(), access.keyVariable]).toEqual(["azure-key", "AZURE_OPENAI_API_KEY"]);
    expect(access.secrets()).toEqual(["azure-key", "sk-openai"]);
    expect(JSON.stringify(access)).not.toMatch(/azure-key|sk-openai/);
  });

  it("refuses a key that no header can hold, without showing it", () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-a\u00e9b");
    expect(() => openaiAccess("openai", "openai:m", {})).toThrow(/OPENAI_API_KEY holds characters that no key has$/);
  });
});

import { describe, expect, it } from "vitest";
import { modelFamily, sameFamily } from "./model-family.js";

describe("a model's family", () => {
  it("is found in any of its names", () => {
    expect(modelFamily("openai:gpt-4.1-mini")).toBe("gpt");
    expect(modelFamily("gpt-4o")).toBe("gpt");
    expect(modelFamily("openai:o3")).toBe("gpt");
    expect(modelFamily("openai-compatible:meta-llama/Llama-3.1-8B-Instruct")).toBe("llama");
    expect(modelFamily("gguf:./models/qwen2.5-7b-instruct-q4_k_m.gguf")).toBe("qwen");
    expect(modelFamily("gguf:C:\\models\\Mistral-7B.gguf")).toBe("mistral");
    expect(modelFamily("baseline")).toBe("baseline");
    expect(modelFamily("simulated:columns,bias=0.3")).toBe("simulated");
    expect(modelFamily("")).toBeNull();
    expect(modelFamily("123")).toBeNull();
  });

  it("is shared only by models that both have one", () => {
    expect(sameFamily("gemini-2.5-pro", "vertex:gemini-2.5-flash-lite")).toBe(true);
    expect(sameFamily("gpt-4o", "vertex:gemini-2.5-flash-lite")).toBe(false);
    expect(sameFamily(null, "baseline")).toBe(false);
    expect(sameFamily("42", "7")).toBe(false);
  });
});

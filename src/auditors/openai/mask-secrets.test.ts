import { describe, expect, it } from "vitest";
import { maskSecrets } from "./mask-secrets.js";

describe("maskSecrets", () => {
  it("writes over every key, keeps the length, and leaves everything else", () => {
    const bytes = Buffer.from('{"a":"sk-secret-1 and sk-secret-1","model":"m-sk-secret-1","é":"雨"}');
    const { length } = bytes;
    maskSecrets(bytes, ["sk-secret-1", "other-key-x"]);
    expect(bytes.length).toBe(length);
    expect(JSON.parse(bytes.toString())).toEqual({ a: "*********** and ***********", model: "m-***********", é: "雨" });
  });

  it("does not hide what is too short to be a key", () => {
    const bytes = Buffer.from("none of these");
    maskSecrets(bytes, ["none", ""]);
    expect(bytes.toString()).toBe("none of these");
  });
});

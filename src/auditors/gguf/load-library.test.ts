import { describe, expect, it } from "vitest";
import { EnvironmentError } from "../../core/errors.js";
import { type Library, loadLibrary, requireLibrary } from "./engine.js";

function failing(message: string, code?: string): () => Promise<Library> {
  return () => Promise.reject(Object.assign(new Error(message), { code }));
}

describe("loadLibrary", () => {
  it("tells how to install the package where it is not there", async () => {
    const attempt = loadLibrary(
      failing("Cannot find package 'node-llama-cpp' imported from x", "ERR_MODULE_NOT_FOUND"),
    );
    await expect(attempt).rejects.toBeInstanceOf(EnvironmentError);
    await expect(attempt).rejects.toMatchObject({ remedy: expect.stringContaining("npm install node-llama-cpp") });
    await expect(attempt).rejects.toThrow("node-llama-cpp: not installed");
  });

  it("tells why a package that is there cannot be loaded", async () => {
    const attempt = loadLibrary(failing("GLIBC_2.38 not found\n    at somewhere"));
    await expect(attempt).rejects.toBeInstanceOf(EnvironmentError);
    await expect(attempt).rejects.toThrow("node-llama-cpp: cannot be loaded; GLIBC_2.38 not found");
  });
});

describe("requireLibrary", () => {
  it("tells at once whether the package is there", () => {
    expect(() => requireLibrary()).not.toThrow();
    const absent = (name: string) => {
      throw new Error(`Cannot find module '${name}'`);
    };
    expect(() => requireLibrary(absent)).toThrow(EnvironmentError);
  });
});

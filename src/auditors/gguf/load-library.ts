import { createRequire } from "node:module";
import { EnvironmentError } from "../../core/errors.js";

export type Library = typeof import("node-llama-cpp");

/** The engine's package. It is large and most users have no use for it, so it is theirs to install. */
export async function loadLibrary(load: () => Promise<Library> = () => import("node-llama-cpp")): Promise<Library> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ERR_MODULE_NOT_FOUND" && /node-llama-cpp/.test(message)) throw notInstalled();
    throw new EnvironmentError(
      "gguf_engine",
      `node-llama-cpp: cannot be loaded; ${firstLine(message)}`,
      "Install it again: npm install node-llama-cpp",
    );
  }
}

/** Tells at once, and without loading it, whether the package is there. */
export function requireLibrary(resolve: (name: string) => unknown = createRequire(import.meta.url).resolve): void {
  try {
    resolve("node-llama-cpp");
  } catch {
    throw notInstalled();
  }
}

function notInstalled(): EnvironmentError {
  return new EnvironmentError(
    "gguf_engine",
    "node-llama-cpp: not installed; it runs GGUF models and is not part of the ordinary installation",
    "Install it beside this program: npm install node-llama-cpp",
  );
}

export function firstLine(message: string | undefined): string {
  return (message ?? "").split("\n", 1)[0]!.trim() || "no reason given";
}

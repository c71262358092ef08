import { accessSync, constants, existsSync, readFileSync, statfsSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { EnvironmentError } from "../core/errors.js";

/** Version of this package, read from its own package.json. */
export const VERSION: string = JSON.parse(readFileSync(packageFile("package.json"), "utf8")).version;

/** A file of this package by its path from the package's root, wherever the bundler has put the code that asks for it. */
export function packageFile(path: string): URL {
  let folder = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", folder)) && folder.pathname.length > 1) folder = new URL("..", folder);
  return new URL(path, folder);
}

/** A part of the report's application, which `npm run build` makes from `web/`. */
export function builtFile(name: string, application: URL = packageFile("dist/web/")): URL {
  const file = new URL(name, application);
  if (existsSync(file)) return file;
  throw new EnvironmentError(
    "not_built",
    `the report's application is missing; got no ${fileURLToPath(file)}`,
    "Install defensible again, or run `npm run build` in its source.",
  );
}

export function readBuilt(name: string, application?: URL): string {
  return readFileSync(builtFile(name, application), "utf8");
}

/** Whether a file or a folder may be written to. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Bytes that are free where a path is. */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Whether something listens on a port of this machine. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(300, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}

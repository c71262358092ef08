import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { cliServed, temporaryFolder } from "./cli.js";

const CLIENT = join(import.meta.dirname, "shell-client.mjs");

interface ShellOptions {
  env?: Record<string, string>;
  /** Bash that comes before the commands. */
  before?: string;
}

/**
 * Runs commands word for word in a shell whose `defensible` is the built one; any failure ends it. Returns what they printed. The program stays warm
 * between them: that a process of its own does the same is held by `warm-cli.test.ts`.
 */
export async function shell(commands: string, cwd: string, options: ShellOptions = {}): Promise<string> {
  const socket = join(temporaryFolder(), "shell.sock");
  const server = serve(socket);
  await once(server, "listening");
  const script = `exec 2>&1\nset -eo pipefail\ndefensible() { '${process.execPath}' '${CLIENT}' '${socket}' "$@"; }\n${options.before ?? ""}\n${commands}`;
  const child = spawn("bash", ["-c", script], {
    cwd,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close") as Promise<[number]>;
  const output = await text(child.stdout);
  const [status] = await ended;
  server.close();
  expect(status, output.slice(-3000)).toBe(0);
  return output;
}

function serve(path: string): Server {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let asked = "";
    socket.setEncoding("utf8").on("data", (part) => (asked += part));
    socket.on("end", async () => {
      const { args, ...options } = JSON.parse(asked);
      socket.end(JSON.stringify(await cliServed(args, options)));
    });
  });
  return server.listen(path);
}

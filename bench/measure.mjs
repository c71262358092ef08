import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** Runs a command to its end; wall time in seconds and peak resident memory in MB (Linux). Fails if the command does. */
export function measure(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    // Certificates that a machine adds are read by every Node program as it starts; here that took longer than an empty program.
    const { NODE_EXTRA_CA_CERTS: _, ...env } = options.env ?? process.env;
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"], ...options, env });
    let output = "";
    let peak = 0;
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    // VmHWM never falls, so the last look before the end is the peak but for a few milliseconds.
    const timer = setInterval(() => {
      try {
        const kb = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
        if (kb) peak = Math.max(peak, Number(kb[1]) / 1024);
      } catch {}
    }, 10);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(timer);
      const seconds = (performance.now() - started) / 1000;
      if (code === 0) resolve({ seconds, peak, output });
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}\n${output}`));
    });
  });
}

export const CLI = new URL("../dist/cli/main.js", import.meta.url).pathname;

/** One core only, where the system can do that. */
export function onOneCore(command, args) {
  return ["taskset", ["-c", "0", command, ...args]];
}

export function row(name, values) {
  console.log(`${name.padEnd(58)} ${values}`);
}

// The tests recount every number of a report in Python. Where python3 is missing it is installed if that is possible, else asked for.
import { spawnSync } from "node:child_process";

const there = () => spawnSync("python3", ["--version"]).status === 0;

if (!there() && process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0) {
  spawnSync("apt-get", ["update"], { stdio: "inherit" });
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "python3"], { stdio: "inherit" });
}
if (!there()) {
  console.error("The tests need python3 (its standard library is enough). Install it and repeat `npm test`.");
  process.exit(1);
}

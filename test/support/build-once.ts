import { execFileSync } from "node:child_process";

/** Tests that start the command line use `dist/`: build it once, before any test, so that they never see an old one. */
export default function buildOnce(): void {
  if (process.env.DEFENSIBLE_SKIP_BUILD) return;
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
}

import { execFileSync } from "node:child_process";
import fc from "fast-check";

/**
 * Properties are tried on other cases with each change, and on the same ones whenever the same change is tested again: the seed is of the tree that was
 * committed. A failure prints its seed; DEFENSIBLE_SEED repeats it.
 */
process.env.DEFENSIBLE_SEED ??= `${seedOfTree()}`;
fc.configureGlobal({ seed: Number(process.env.DEFENSIBLE_SEED) });

function seedOfTree(): number {
  try {
    const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { encoding: "utf8", stdio: "pipe" });
    return Number.parseInt(tree.slice(0, 7), 16);
  } catch {
    return 1;
  }
}

import { join, relative } from "node:path";
import { Command } from "commander";
import { demoDocument } from "../../../present/report/headline-document.js";
import { noteOutputs } from "../../../store/files/erasure/search-files.js";
import { printable, shellWord } from "../../../text/printable.js";
import { prepareDemo, runDemo } from "../../demo/steps.js";
import { EXIT } from "../../exit-code.js";
import { examples } from "../../options.js";
import { print, printDocument, say } from "../../output.js";

export function demoCommand(): Command {
  return new Command("demo")
    .argument("[dir]", "where the workspace is made; a demo that is there is repeated", "defensible-demo")
    .addHelpText(
      "after",
      `${examples("defensible demo", "defensible demo /tmp/try")}
Audits the sample platform Commons from recorded answers of a language model: no key, no network. Shows what agreement with moderators hides,
which communities pass the gate, and what rewriting one rule changes, and writes DIR/report.html.
`,
    )
    .action(demo);
}

async function demo(dir: string): Promise<void> {
  const leave = () => {
    say("\nInterrupted. Repeat the command to continue.");
    process.exit(EXIT.interrupted);
  };
  process.once("SIGINT", leave).once("SIGTERM", leave);
  await show(dir).finally(() => process.off("SIGINT", leave).off("SIGTERM", leave));
}

async function show(dir: string): Promise<void> {
  const workspace = prepareDemo(dir);
  const path = join(workspace.root, "report.html");
  printDocument(demoDocument(await runDemo(workspace, path)));
  await noteOutputs(workspace, [path], { at: new Date().toISOString(), command: "demo" });
  const folder = relative(process.cwd(), workspace.root) || ".";
  const word = shellWord(folder, 4096);
  // No command is suggested if the folder's name cannot be typed as shown.
  const next = word === null ? "" : `Go on:  npx defensible show --workspace ${word} --level 3\n`;
  print(`\n${next}Report: ${printable(path, 4096)}`);
}

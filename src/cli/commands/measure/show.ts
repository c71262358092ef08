import { Command } from "commander";
import { statedReasonOf } from "../../../app/evidence/stated-reasons.js";
import { listAudits, showDecision } from "../../../app/find-audits.js";
import { worded } from "../../../app/notices.js";
import { decisionDocument, listDocument, showRefusal } from "../../../present/document/list-documents.js";
import { printable } from "../../../text/printable.js";
import { type CommonOptions, examples, integer } from "../../options.js";
import { printDocument, printJson, say } from "../../output.js";
import { saySmallRun, storesOf, withStores } from "../../serve/stores.js";

interface ShowOptions extends CommonOptions {
  run?: string;
  level?: number;
  community?: string;
  limit: number;
}

export function showCommand(): Command {
  return withStores(new Command("show"))
    .argument("[decision]", "id of a decision; without it, a list")
    .option("--run <id>", "which run (default: the newest)")
    .option("--level <level>", "list only decisions at this level", integer(1, 3))
    .option("--community <name>", "list only decisions of this community")
    .option("--limit <n>", "rows of the list", integer(1), 20)
    .addHelpText("after", examples("defensible show --level 3", "defensible show film-club-008"))
    .action(show);
}

async function show(id: string | undefined, options: ShowOptions): Promise<void> {
  const context = await storesOf(options);
  if (id === undefined) {
    if (!options.run) await saySmallRun(context);
    const listed = await listAudits(context, options);
    if (listed.meant !== null) {
      say(`No decision is of ${printable(options.community!, 60)}. Did you mean ${printable(listed.meant, 60)}?`);
    }
    if (!printJson(listed.audits, options)) printDocument(listDocument(listed));
    return;
  }
  const shown = await worded(showRefusal, () => showDecision(context, id, options.run));
  const { decision, audits } = shown;
  const reason = await statedReasonOf(context, decision, audits);
  const of = { stated_reason: reason?.stated ?? null, ...(reason?.audited ? { audited_reason: reason.audited } : {}) };
  const other = context.config.actions.all ? "another action" : "the opposite";
  if (!printJson({ decision, audits, ...of }, options)) {
    printDocument(decisionDocument(shown, reason, other));
  }
}

import type { StoredCalibration } from "../../core/calibration.js";
import { calibrationDocument } from "../../present/document/calibration-document.js";
import { table } from "../../present/document/document.js";
import { targetName } from "../../present/words/calibration-words.js";
import { decimal, whole } from "../../present/words/numbers.js";
import { readCalibration, surveyCalibrations } from "../../store/files/calibration-store.js";
import { printable } from "../../text/printable.js";
import { type CommonOptions, workspaceOf } from "../options.js";
import { print, printDocument, printJson, say } from "../output.js";
import { type PageOptions, printPage } from "../page.js";

export async function listAction(options: CommonOptions): Promise<void> {
  const { calibrations, damaged } = surveyCalibrations(await workspaceOf(options));
  for (const one of damaged) say(`Left out: ${printable(one.damaged, 400)}.`);
  if (printJson([...calibrations, ...damaged], options)) return;
  if (calibrations.length === 0) {
    print(
      damaged.length > 0
        ? "There is no calibration that can be read."
        : "There is no calibration yet. `defensible calibrate` makes one.",
    );
    return;
  }
  printDocument({
    title: "Calibrations",
    subtitle: "newest first; log-loss (nats) and ECE as measured then",
    blocks: [
      table(["calibration", "name", "method", "auditor", "target", ">n", ">log-loss", ">ECE"], calibrations.map(row)),
    ],
  });
}

function row(calibration: StoredCalibration): string[] {
  return [
    printable(calibration.calibration_id, 40),
    printable(calibration.name ?? "", 30),
    printable(calibration.method, 20),
    printable(calibration.evidence.auditor ?? "unknown", 30),
    printable(targetName(calibration.target), 60),
    whole(calibration.n),
    decimal(calibration.log_loss, 3),
    decimal(calibration.ece.equal_frequency, 3),
  ];
}

export async function showAction(id: string, options: CommonOptions & PageOptions): Promise<void> {
  const calibration = readCalibration(await workspaceOf(options), id);
  const taken = printJson(calibration, options);
  printPage(() => calibrationDocument(calibration), options, taken);
}

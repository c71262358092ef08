import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newestFitting, newestToShow } from "../calibrations.js";
import { makeCalibration } from "../contracts/calibration-store.suite.js";
import { failure, tempWorkspace } from "./in-temp-folder.suite.js";
import {
  listCalibrations,
  readCalibration,
  readCalibrationFile,
  surveyCalibrations,
  writeCalibration,
} from "./kept-results.js";

const EVIDENCE = makeCalibration().evidence;

describe("calibrations of a workspace", () => {
  it("are kept under an id of their time and content and come back as they were", () => {
    const workspace = tempWorkspace();
    const written = writeCalibration(workspace, makeCalibration({ name: "first" }));
    expect(written.calibration_id).toMatch(/^20260102T030405Z-[0-9a-f]{4}$/);
    const { calibration_id, content_hash } = written;
    expect(written).toEqual({ ...makeCalibration({ name: "first" }), format: 1, calibration_id, content_hash });
    expect(content_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(readCalibration(workspace, written.calibration_id)).toEqual(written);
    expect(readdirSync(workspace.paths.calibrations)).toEqual([`${written.calibration_id}.json`]);
  });

  it("are never overwritten, even by the same one in the same second", () => {
    const workspace = tempWorkspace();
    const ids = [1, 2, 3].map(() => writeCalibration(workspace, makeCalibration()).calibration_id);
    expect(new Set(ids).size).toBe(3);
  });

  it("are listed newest first, and none where there is no folder", () => {
    const workspace = tempWorkspace();
    expect(listCalibrations(workspace)).toEqual([]);
    for (const day of [2, 4, 3])
      writeCalibration(workspace, makeCalibration({ created_at: `2026-01-0${day}T00:00:00.000Z` }));
    expect(listCalibrations(workspace).map((one) => one.created_at.slice(8, 10))).toEqual(["04", "03", "02"]);
  });

  it("are found by id, by the beginning of one and by name, the newest of a name", async () => {
    const workspace = tempWorkspace();
    writeCalibration(workspace, makeCalibration({ name: "mine" }));
    const newer = writeCalibration(
      workspace,
      makeCalibration({ name: "mine", created_at: "2026-02-02T00:00:00.000Z" }),
    );
    expect(readCalibration(workspace, "mine")).toEqual(newer);
    expect(readCalibration(workspace, "20260202")).toEqual(newer);
    expect(await failure(() => readCalibration(workspace, "2026"))).toMatchObject({ code: "unknown_calibration" });
    for (const id of ["none", "", "../defensible", "__proto__"]) {
      expect(await failure(() => readCalibration(workspace, id))).toMatchObject({ code: "unknown_calibration" });
    }
  });

  it("that cannot be understood are told, not passed over for an older one", async () => {
    const workspace = tempWorkspace();
    writeCalibration(workspace, makeCalibration());
    for (const text of ["{", "{}", '{"format": 2}']) {
      writeFileSync(join(workspace.paths.calibrations, "20260601T000000Z-abcd.json"), text);
      expect(await failure(() => listCalibrations(workspace))).toMatchObject({ code: "bad_calibration" });
      expect(await failure(() => newestFitting(listCalibrations(workspace), EVIDENCE))).toMatchObject({
        code: "bad_calibration",
      });
    }
  });

  it("are all shown where one of them is damaged, and that one is named", () => {
    const workspace = tempWorkspace();
    const sound = writeCalibration(workspace, makeCalibration());
    const bad = "20260601T000000Z-abcd";
    writeFileSync(join(workspace.paths.calibrations, `${bad}.json`), "{");
    expect(surveyCalibrations(workspace)).toEqual({
      calibrations: [sound],
      damaged: [{ calibration_id: bad, damaged: expect.stringContaining(`${bad}.json: not a calibration`) }],
    });
  });

  it("have the id that their file is named after, and no other text in its place", async () => {
    const workspace = tempWorkspace();
    const { calibration_id: id, ...rest } = writeCalibration(workspace, makeCalibration());
    const path = join(workspace.paths.calibrations, `${id}.json`);
    for (const other of ["\u001b[2Jx", "", "20260102T030405Z-ffffff", `${id}\n`]) {
      writeFileSync(path, JSON.stringify({ ...rest, calibration_id: other }));
      expect(await failure(() => readCalibration(workspace, id))).toMatchObject({
        code: "bad_calibration",
        message: expect.stringContaining(`expected ${id}`),
      });
    }
    const alone = join(workspace.root, "alone.json");
    writeFileSync(alone, JSON.stringify({ ...rest, calibration_id: "\u001b[2Jx" }));
    expect(await failure(() => readCalibrationFile(alone))).toMatchObject({ code: "bad_calibration" });
    writeFileSync(alone, JSON.stringify({ ...rest, calibration_id: id }));
    expect(readCalibrationFile(alone).calibration_id).toBe(id);
  });

  it("that were changed after they were written are refused, and those written by earlier versions are read", async () => {
    const workspace = tempWorkspace();
    const { calibration_id, ...written } = writeCalibration(workspace, makeCalibration());
    const path = join(workspace.paths.calibrations, `${calibration_id}.json`);
    const stored = { calibration_id, ...written };
    const put = (content: object) => writeFileSync(path, JSON.stringify(content));
    put({ ...stored, model: { kind: "platt", slope: 1, intercept: 1000 } });
    const told = await failure(() => readCalibration(workspace, calibration_id));
    expect(told).toMatchObject({ code: "bad_calibration" });
    expect(told.message).toMatch(/was changed after it was written/);
    put({ ...stored, remark: "mine" });
    expect(await failure(() => listCalibrations(workspace))).toMatchObject({ code: "bad_calibration" });
    // Formatted anew, or in another order, it says the same.
    put(Object.fromEntries(Object.entries(stored).reverse()));
    expect(readCalibration(workspace, calibration_id)).toEqual(stored);
    const { content_hash: _, ...old } = stored;
    put(old);
    expect(readCalibration(workspace, calibration_id)).toEqual(old);
  });

  it("fit only audits of the same auditor, version, prompt, template and signal", () => {
    const workspace = tempWorkspace();
    const old = writeCalibration(workspace, makeCalibration());
    writeCalibration(workspace, makeCalibration({ created_at: "2026-03-01T00:00:00.000Z", model: null }));
    const other = { ...EVIDENCE, auditor: "other" };
    const newest = writeCalibration(
      workspace,
      makeCalibration({ created_at: "2026-04-01T00:00:00.000Z", evidence: other }),
    );
    expect(newestFitting(listCalibrations(workspace), EVIDENCE)).toEqual(old);
    expect(newestFitting(listCalibrations(workspace), other)).toEqual(newest);
    // Temperature and tier may differ.
    expect(
      newestFitting(listCalibrations(workspace), { ...EVIDENCE, temperature: 1, tier: "title" } as typeof EVIDENCE),
    ).toEqual(old);
    for (const field of ["auditor", "auditor_version", "prompt_version", "template", "signal"]) {
      expect(newestFitting(listCalibrations(workspace), { ...EVIDENCE, [field]: "another" })).toBeNull();
      expect(newestFitting(listCalibrations(workspace), { ...EVIDENCE, [field]: null })).toBeNull();
    }
  });

  it("that give weights of S alone are shown where none gives a probability, and never applied", () => {
    const workspace = tempWorkspace();
    expect(newestToShow(listCalibrations(workspace), EVIDENCE)).toBeNull();
    const weights = writeCalibration(
      workspace,
      makeCalibration({ created_at: "2026-03-01T00:00:00.000Z", model: null }),
    );
    expect(newestToShow(listCalibrations(workspace), EVIDENCE)).toEqual(weights);
    expect(newestFitting(listCalibrations(workspace), EVIDENCE)).toBeNull();
    const older = writeCalibration(workspace, makeCalibration());
    expect(newestToShow(listCalibrations(workspace), EVIDENCE)).toEqual(older);
    expect(newestToShow(listCalibrations(workspace), { ...EVIDENCE, auditor: "another" })).toBeNull();
  });

  it("that cannot be written are told with the folder", async () => {
    const workspace = tempWorkspace();
    // A file in the way stands for every reason: root may write anywhere.
    writeFileSync(workspace.paths.calibrations, "");
    expect(await failure(() => writeCalibration(workspace, makeCalibration()))).toMatchObject({
      message: expect.stringContaining(workspace.paths.calibrations),
    });
  });
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { makeManifest } from "../../../test/support/make-audit.js";
import type { Manifest } from "../../core/records/manifest.js";
import { writeExperiment } from "../../store/files/experiment-store.js";
import { tempWorkspace } from "../../store/files/in-temp-folder.suite.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import { circularityOf, keptEvidence } from "./experiment.js";
import { convergenceChannel } from "./truth-channel.js";

describe("keptEvidence", () => {
  let workspace: Workspace;
  const asked = makeManifest({ run_id: "20260102T000000Z-0002", auditor: "one", auditor_version: "1", tier: "wiki" });
  const kept = (sameTier = false) =>
    keptEvidence(fileStores(workspace), "circularity", { manifest: asked }, { sameTier });

  /** A kept result (of any kind will do) of one run with these settings. */
  function keep(changes: Partial<Manifest>): void {
    const run_id = "20260101T000000Z-0001";
    const folder = join(workspace.paths.runs, run_id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "manifest.json"), JSON.stringify(makeManifest({ ...asked, ...changes, run_id })));
    const channel = { ...convergenceChannel(null), source: { experiment: null, runs: [run_id] } };
    const source = { name: "r", run_id, auditor: "one" };
    writeExperiment(workspace, circularityOf({ source, channels: [channel], margin: 0.05 }));
  }

  beforeEach(() => {
    workspace = tempWorkspace();
  });

  it("is none where nothing was kept", async () => {
    expect(await kept()).toEqual({ found: null, because: null });
  });

  it("is of the same auditor, and names the run", async () => {
    keep({ tier: "title" });
    expect((await kept()).found?.run.manifest.run_id).toBe("20260101T000000Z-0001");
    expect((await kept(true)).because).toMatch(
      /run 20260101T000000Z-0001 by auditor one under tier title, and this run/,
    );
  });

  it("is not another auditor's, nor another version's", async () => {
    keep({ auditor: "two" });
    expect(await kept()).toMatchObject({
      found: null,
      because: expect.stringMatching(/0001 by auditor two, and this run is by auditor one/),
    });
    keep({ auditor_version: "2" });
    expect((await kept()).because).toMatch(/auditor one version 2, and this run is by auditor one version 1/);
    expect(convergenceChannel(null, (await kept()).because)).toMatchObject({
      verdict: "not_available",
      because: expect.stringMatching(/no decisions were audited four times or more, and the kept result/),
    });
  });

  it("is nobody's where its run is gone", async () => {
    const source = { name: "file", run_id: null, auditor: null };
    writeExperiment(workspace, circularityOf({ source, channels: [], margin: 0.05 }));
    expect((await kept()).because).toMatch(/of files, or of runs that are gone/);
  });
});

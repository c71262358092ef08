import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { sayStages } from "../src/cli/calibrate/request.js";
import { type StoredCalibration, storedCalibrationSchema, weightsSchema } from "../src/core/calibration.js";
import { PAPER_WEIGHTS_FILE } from "../src/measures/signals/weights.js";
import { createRng } from "../src/stats/random/create-rng.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";
import { makeAudit } from "./support/make-audit.js";

const folder = temporaryFolder();
const sample = join(folder, "sample");
let run = "";

beforeAll(() => {
  cliOk(["init", sample, "--example", "commons-hard"]);
  cliOk(["audit", "--workspace", sample]);
  run = JSON.parse(cliOk(["runs", "list", "--json", "--workspace", sample]))[0].run_id;
});

function copyOf(name: string): string {
  const path = join(folder, name);
  cpSync(sample, path, { recursive: true });
  return path;
}

const jsonOf = (args: string[], workspace = sample) => JSON.parse(cliOk([...args, "--json", "--workspace", workspace]));

/** Audits of an auditor that is right more often than not, and labels of the same decisions. */
function auditsFile(
  name: string,
  n: number,
  changes: (i: number) => object = () => ({}),
): { audits: string; labels: string } {
  const rng = createRng(7);
  const [rows, labels]: [string[], string[]] = [[], []];
  for (let i = 0; i < n; i++) {
    const level = (1 + rng.int(3)) as 1 | 2 | 3;
    const said = rng.next() < 0.7 ? level : ((1 + rng.int(3)) as 1 | 2 | 3);
    const probs = [1, 2, 3].map((one) => (one === said ? 0.7 + 0.2 * rng.next() : 0.1 * rng.next() + 0.01));
    const sum = probs.reduce((a, b) => a + b);
    const level_probs = probs.map((p) => p / sum) as [number, number, number];
    rows.push(
      JSON.stringify(
        makeAudit({
          decision_id: `d${i}`,
          community: `c${i % 8}`,
          level: said,
          level_probs,
          level_map: said,
          lambda_nats: Math.log(Math.max(...level_probs)),
          inverse: said === 3,
          inverse_log_odds: (said === 3 ? 2 : -2) + rng.next(),
          inverse_yes_prob: null,
          p_defensible: level_probs[0] + level_probs[1],
          ...changes(i),
        }),
      ),
    );
    labels.push(JSON.stringify({ decision_id: `d${i}`, level, source: "human" }));
  }
  const audits = join(folder, `${name}.jsonl`);
  const labelFile = join(folder, `${name}-labels.jsonl`);
  writeFileSync(audits, `${rows.join("\n")}\n`);
  writeFileSync(labelFile, `${labels.join("\n")}\n`);
  return { audits, labels: labelFile };
}

describe("calibrate", () => {
  it("chooses a method by the best target there is, keeps it, and says both", () => {
    const workspace = copyOf("auto");
    const { stdout, stderr } = cli(["calibrate", "--workspace", workspace]);
    expect(stdout).toMatch(/target:\s+reference\s+annotations/);
    expect(stdout).toContain("target chosen automatically: reference annotations");
    expect(stdout).toMatch(/1 − p\(L3\), unfitted/);
    expect(stdout).toMatch(/predicted \d+\.\d%, observed/);
    const [file] = readdirSync(join(workspace, "calibrations"));
    expect(stderr).toContain(file!.replace(".json", ""));
    const stored = JSON.parse(readFileSync(join(workspace, "calibrations", file!), "utf8"));
    expect(storedCalibrationSchema.safeParse(stored).error).toBeUndefined();
    expect(stored).toMatchObject({
      format: 1,
      evidence: { run_id: run, auditor: "baseline", template: "guided", signal: "logprobs", tier: "wiki" },
      target: { kind: "gold", n: 382 },
      seed: 1,
    });
    expect(cliOk(["calibrate", "list", "--workspace", workspace])).toContain(stored.calibration_id);
    expect(cliOk(["calibrate", "show", stored.calibration_id, "--workspace", workspace])).toContain("Methods");
  });

  it("gives the same numbers for the same seed", () => {
    const { created_at: _, ...first } = jsonOf(["calibrate", "--dry-run"]);
    const { created_at: __, ...second } = jsonOf(["calibrate", "--dry-run"]);
    expect(second).toEqual(first);
    expect(existsSync(join(sample, "calibrations"))).toBe(false);
  });

  it("fits the paper's weights, which later audits use", () => {
    const workspace = copyOf("paper");
    const calibration = jsonOf(["calibrate", "--method", "paper", "--component", "h_w"], workspace);
    expect(calibration).toMatchObject({ method: "paper", component: "h_w", model: null, target: { kind: "self" } });
    const written = JSON.parse(readFileSync(join(workspace, "pds_weights.json"), "utf8"));
    expect(Object.keys(written).slice(0, 6)).toEqual(["alpha", "beta", "gamma", "component", "loss", "n_samples"]);
    expect(weightsSchema.parse(written)).toMatchObject({
      ...calibration.weights,
      component: "h_w",
      loss: calibration.loss,
      n_samples: 382,
      fitted_on: { auditor: "baseline", signal: "logprobs", missing: "floor", run_id: run },
      optimiser: "closed-simplex",
    });
    cliOk(["audit", "--new", "--limit", "5", "--workspace", workspace]);
    const [manifest] = jsonOf(["runs", "list"], workspace);
    expect(manifest.weights.calibrated).toBe(true);
    expect(manifest.weights.alpha).toBeCloseTo(calibration.weights.alpha, 12);
    // Another way to read the answers has other signals: these weights are not theirs.
    const other = cliOk(["audit", "--limit", "5", "--missing", "paper", "--json", "--workspace", workspace]);
    const audits = join(folder, "missing-paper.jsonl");
    const exported = ["export", "--run", JSON.parse(other).run_id, "--format", "jsonl", "--out", audits];
    cliOk([...exported, "--workspace", workspace]);
    expect(JSON.parse(readFileSync(audits, "utf8").split("\n")[0]!)).toMatchObject({
      missing: "paper",
      flags: expect.arrayContaining(["uncalibrated"]),
    });
    // The paper's own form does not say whom it was fitted for: its weights are used, and nobody calls them calibrated.
    writeFileSync(join(workspace, "pds_weights.json"), JSON.stringify(PAPER_WEIGHTS_FILE));
    cliOk(["audit", "--new", "--limit", "5", "--workspace", workspace]);
    const [unknown] = jsonOf(["runs", "list"], workspace);
    expect(unknown.weights).toMatchObject({ calibrated: false, provenance: "unknown" });
    expect(unknown.weights.gamma).toBeCloseTo(0.3598 / 1.0001, 12);
    const text = cliOk(["calibrate", "--method", "paper", "--run", run, "--dry-run", "--workspace", workspace]);
    for (const words of ["closed simplex", "softmax, as the paper searches", "H[w]", "H[κ]", "weight × spread"])
      expect(text).toContain(words);
  });

  it("writes the weights that the paper's softmax finds, where asked to", () => {
    const out = join(folder, "softmax.json");
    const calibration = jsonOf(["calibrate", "--method", "paper", "--fit", "softmax", "--dry-run"]);
    const softmax = calibration.paper.h_w.methods.find((one: { method: string }) => one.method === "lbfgs-softmax");
    expect(calibration).toMatchObject({ optimiser: "lbfgs-softmax", weights: softmax.weights });
    cliOk(["calibrate", "--method", "paper", "--fit", "softmax", "--out", out, "--workspace", sample]);
    expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ ...softmax.weights, optimiser: "lbfgs-softmax" });
    expect(cli(["calibrate", "--fit", "softmax", "--workspace", sample]).stderr).toContain("belongs to --method paper");
  });

  it("does not write weights that nothing was fitted to", () => {
    const csv = join(folder, "bare.csv");
    writeFileSync(csv, "decision_id,community,decision,level,inverse\na,c,remove,1,no\nb,c,remove,3,yes\n");
    const out = join(folder, "no-weights.json");
    const { status, stderr } = cli(["calibrate", "--method", "paper", "--audits", csv, "--out", out]);
    expect(status).toBe(0);
    expect(stderr).toContain("Nothing was kept, because nothing could be fitted");
    expect(existsSync(out)).toBe(false);
    const workspace = copyOf("nothing-fitted");
    const { stdout } = cli(["calibrate", "--method", "paper", "--audits", csv, "--workspace", workspace]);
    expect(stdout).toContain("Not fitted: equal weights are used");
    expect(stdout).not.toContain("with 0 rows");
    expect(existsSync(join(workspace, "calibrations"))).toBe(false);
  });

  it("writes the weights of S to a file instead of into the workspace", () => {
    const workspace = copyOf("paper-out");
    const out = join(folder, "weights-out.json");
    cliOk(["calibrate", "--method", "paper", "--out", out, "--workspace", workspace]);
    expect(weightsSchema.safeParse(JSON.parse(readFileSync(out, "utf8"))).success).toBe(true);
    expect(existsSync(join(workspace, "calibrations"))).toBe(false);
    expect(existsSync(join(workspace, "pds_weights.json"))).toBe(false);
  });

  it("says when a name is taken, and what contradicts itself in labels", () => {
    const workspace = copyOf("names");
    const first = cli(["calibrate", "--name", "mine", "--workspace", workspace]);
    expect(first.stderr).not.toContain("the name mine");
    expect(cli(["calibrate", "--name", "mine", "--workspace", workspace]).stderr).toContain(
      "Another calibration has the name mine: from now on it means this one",
    );
    const { audits, labels } = auditsFile("contrary", 100);
    const extra = [1, 3].map((level) => JSON.stringify({ decision_id: "d1", level, source: "human", rater: "ann" }));
    writeFileSync(labels, `${readFileSync(labels, "utf8")}${extra.join("\n")}\n`);
    const calibration = JSON.parse(cliOk(["calibrate", "--audits", audits, "--labels", labels, "--json"]));
    expect(calibration.notes).toContain("1 decision has different labels of one rater; the last one counts");
  });

  it("says on stderr what it is doing where that takes long", () => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const stages = (draws: number) => sayStages(draws)({ code: "measure", what: "pds" }, 200);
    stages(14_000);
    expect(write).not.toHaveBeenCalled();
    stages(15_000);
    expect(write.mock.calls.flat().join("")).toContain("Measuring S … (200 rows, 15,000 draws)");
    write.mockRestore();
  });

  it("measures decisions it was fitted on by models that did not see them, in a copy too", () => {
    const { audits, labels } = auditsFile("original", 200);
    const copy = join(folder, "copy.jsonl");
    cpSync(audits, copy);
    const args = ["calibrate", "--audits", audits, "--labels", labels, "--method", "platt", "--json"];
    const [fitted, measured] = [args, [...args, "--evaluate-on", copy]].map((one) => JSON.parse(cliOk(one)));
    expect(measured.evaluated_on).toEqual({ kind: "other", label: "copy.jsonl", overlap: 200 });
    expect(measured.prior_shift.before.log_loss.value).toBeCloseTo(fitted.log_loss, 12);
    expect(cliOk([...args.slice(0, -1), "--evaluate-on", copy]).replaceAll(/\s+/g, " ")).toContain(
      "200 of the 200 verdicts measured are on decisions that were fitted on too",
    );
  });

  it("takes people's labels before anything else, and a file of them", () => {
    const { audits, labels } = auditsFile("people", 200);
    const calibration = JSON.parse(cliOk(["calibrate", "--audits", audits, "--labels", labels, "--json"]));
    expect(calibration).toMatchObject({ target: { kind: "human", n: 200 }, n: 200 });
    expect(calibration.auroc).toBeGreaterThan(0.7);
  });

  it("measures on held-out communities and on another run", () => {
    const held = jsonOf(["calibrate", "--holdout", "0.3", "--dry-run"]);
    expect(held.n + held.evaluation.n).toBe(382);
    const workspace = copyOf("other");
    cliOk(["audit", "--new", "--tier", "title", "--workspace", workspace]);
    const [other] = jsonOf(["runs", "list"], workspace);
    const circular = jsonOf(["calibrate", "--run", run, "--target", `auditor:${other.run_id}`, "--dry-run"], workspace);
    expect(circular).toMatchObject({ target: { kind: "auditor", auditor: "baseline", n: 382 } });
    expect(circular.warnings.join()).toContain("of the same family");
    const calibration = jsonOf(["calibrate", "--run", run, "--evaluate-on", other.run_id], workspace);
    expect(calibration.score).toBe(`p_calibrated of run ${other.run_id}`);
    expect(calibration.prior_shift).toMatchObject({ before: { n: 382 }, after: { n: 382 } });
    expect(calibration.warnings.join()).toContain("another tier: fitted at wiki, measured at title");
    const compared = jsonOf(["calibrate", "compare", run, other.run_id, "--draws", "200"], workspace);
    expect(compared.comparison).toMatchObject({ n: 382, same_backbone: true });
    expect(cliOk(["calibrate", "compare", run, other.run_id, "--draws", "200", "--workspace", workspace])).toContain(
      "the same base model",
    );
  });

  it("shows a run of several temperatures as the paper does", () => {
    const { audits, labels } = auditsFile("warm", 100);
    const warm = readFileSync(audits, "utf8")
      .replaceAll('"arm":""', '"arm":"t=1.0"')
      .replaceAll('"temperature":0.2', '"temperature":1');
    writeFileSync(audits, readFileSync(audits, "utf8") + warm);
    const calibration = JSON.parse(cliOk(["calibrate", "--audits", audits, "--labels", labels, "--json"]));
    expect(calibration.temperatures.map((row: { temperature: number; n: number }) => [row.temperature, row.n])).toEqual(
      [
        [0.2, 100],
        [1, 100],
      ],
    );
  });

  it("reads a run that is still being written", () => {
    const workspace = copyOf("live");
    const lines = readFileSync(auditsFile("live", 120).audits, "utf8");
    const manifest = JSON.parse(readFileSync(join(workspace, "runs", run, "manifest.json"), "utf8"));
    const id = "20990101T000000Z-0000";
    cpSync(join(workspace, "runs", run), join(workspace, "runs", id), { recursive: true });
    writeFileSync(
      join(workspace, "runs", id, "manifest.json"),
      JSON.stringify({
        ...manifest,
        run_id: id,
        status: "open",
        created_at: "2099-01-01T00:00:00.000Z",
        sealed_at: null,
      }),
    );
    const live = join(workspace, "runs", id);
    rmSync(join(live, "audits.parquet"));
    writeFileSync(join(live, "audits.jsonl"), `${lines}{"torn`);
    const calibration = jsonOf(["calibrate", "--method", "paper", "--dry-run"], workspace);
    expect(calibration).toMatchObject({ n: 120, evidence: { run_id: id } });
  });
});

describe("calibrate refuses, in a sentence,", () => {
  const refused = (args: string[]): string => {
    const { status, stderr, stdout } = cli(["calibrate", ...args], { cwd: folder });
    expect(status, stderr + stdout).toBe(1);
    expect(stderr).not.toMatch(/\n\s+at |internal error/);
    return stderr;
  };
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const HEAD = "decision_id,community,decision,level,inverse";

  it("what cannot be calibrated", () => {
    const { audits, labels } = auditsFile("few", 20);
    expect(refused(["--audits", audits, "--labels", labels])).toContain("20 rows, at least 30 are needed");
    expect(refused(["--audits", audits])).toContain("no label says which");
    expect(refused(["--audits", audits, "--target", "human"])).toContain("no label says which");
    expect(refused(["--audits", audits, "--target", "replicates"])).toContain("the majority of replicates");
    expect(refused(["--audits", file("empty.csv", "")])).toContain("an empty file");
    expect(refused(["--audits", file("head.csv", `${HEAD}\n`)])).toContain("has no rows");
    expect(refused(["--audits", file("unscored.csv", `${HEAD}\na,c,remove,,\n`), "--target", "self"])).toContain(
      "has no verdict",
    );
    expect(refused(["--audits", join(folder, "unscored.csv")])).toContain("has no verdict");
    expect(
      refused(["--audits", file("bare2.csv", `\ufeff${HEAD}\r\na,c,remove,1,no\r\n`), "--target", "self"]),
    ).toContain("no row with a target has level probabilities");
    const other = auditsFile("unknown", 40);
    writeFileSync(other.labels, '{"decision_id": "x1", "level": 3}\n');
    expect(refused(["--audits", other.audits, "--labels", other.labels, "--target", "human"])).toContain(
      "1 decision has one, but none of them is among these verdicts",
    );
  });

  it("one class", () => {
    const { audits, labels } = auditsFile("one", 60);
    writeFileSync(labels, readFileSync(labels, "utf8").replaceAll('"level":3', '"level":2'));
    expect(refused(["--audits", audits, "--labels", labels])).toContain("one class: all 60 rows are defensible");
  });

  it("flags that do not go together, and names that mean nothing", () => {
    expect(refused(["--target", "oracle", "--workspace", sample])).toContain('got "oracle"');
    expect(refused(["--target", "auditor:absent", "--workspace", sample])).toContain('no run "absent"');
    expect(refused(["--target", `auditor:${run}`, "--workspace", sample])).toContain(`is run ${run} itself`);
    const short = ["--run", run, "--target", `auditor:${run.slice(-4)}`, "--workspace", sample];
    expect(refused(short)).toContain(`is run ${run} itself`);
    const twice = cli(["report", "compare", run, run.slice(-4), "--workspace", sample]);
    expect(twice.stderr).toContain(`both names mean run ${run}`);
    expect(refused(["--evaluate-on", "absent", "--workspace", sample])).toContain('no run "absent"');
    expect(refused(["--evaluate-on", run, "--workspace", sample])).toContain("is what it is fitted on");
    expect(refused(["--holdout", "0.2", "--evaluate-on", run, "--workspace", sample])).toContain("expected one");
    expect(refused(["--holdout", "1", "--workspace", sample])).toContain("--holdout");
    expect(refused(["--run", run, "--audits", "x.csv", "--workspace", sample])).toContain("expected one");
    expect(refused(["--labels", "absent.jsonl", "--workspace", sample])).toContain("no file absent.jsonl");
    expect(refused(["show", "absent", "--workspace", sample])).toContain('no "absent"');
    expect(refused(["apply", "absent", "--out", "x.csv", "--workspace", sample])).toContain('no "absent"');
    expect(refused(["compare", run, run, "--workspace", sample])).toContain("both are");
    expect(refused(["apply", "absent", "--out", "x.txt", "--workspace", sample])).toBeTruthy();
    for (const name of ["", "  "])
      expect(refused(["--name", name, "--workspace", sample])).toContain("--name: is empty");
    const { audits, labels } = auditsFile("same", 40);
    const again = ["--audits", audits, "--labels", labels, "--evaluate-on", `${folder}/./same.jsonl`];
    expect(refused(again)).toContain("is what it is fitted on");
    symlinkSync(audits, join(folder, "link.jsonl"));
    expect(refused([...again.slice(0, -1), join(folder, "link.jsonl")])).toContain("is what it is fitted on");
    expect(refused(["--audits", audits, "--target", `auditor:${folder}/./same.jsonl`])).toContain("itself");
  });

  it("to compare two auditors on what each of them says itself", () => {
    const workspace = copyOf("own-labels");
    cliOk(["audit", "--new", "--tier", "title", "--replicates", "3", "--workspace", workspace]);
    const [other] = jsonOf(["runs", "list"], workspace);
    const compare = ["compare", run, other.run_id, "--workspace", workspace];
    for (const target of ["self", "replicates"]) {
      expect(refused([...compare, "--target", target])).toContain(
        "two auditors are compared on labels that neither made",
      );
    }
    for (const one of [run, other.run_id]) {
      expect(refused([...compare, "--target", `auditor:${one}`])).toContain("itself");
    }
    // Without gold there are the replicates only.
    const decisions = join(workspace, "decisions.jsonl");
    if (existsSync(decisions))
      writeFileSync(decisions, readFileSync(decisions, "utf8").replaceAll('"gold":', '"was":'));
    rmSync(join(workspace, "decisions.parquet"), { force: true });
    expect(refused(["compare", other.run_id, run, "--workspace", workspace])).toContain(
      "--target auto: found only the majority of replicates",
    );
  });

  it("labels of a source that there is not", () => {
    const { audits, labels } = auditsFile("sources", 60);
    const text = readFileSync(labels, "utf8");
    writeFileSync(labels, text.replaceAll('"human"', '"person"'));
    expect(refused(["--audits", audits, "--labels", labels])).toContain(
      'has 60 rows of an unknown source; got "person", expected human, gold or auditor',
    );
    writeFileSync(labels, text.replaceAll('"human"', '"Human"'));
    expect(JSON.parse(cliOk(["calibrate", "--audits", audits, "--labels", labels, "--json"])).target.n).toBe(60);
  });

  it("audits of several auditors", () => {
    const { audits } = auditsFile("mixed", 40, (i) => ({ auditor: i % 2 ? "a" : "b" }));
    expect(refused(["--audits", audits, "--target", "self"])).toContain("several values of auditor: a, b");
  });
});

describe("flags before a subcommand of calibrate", () => {
  const flags = (...args: string[]) => cli(["calibrate", ...args], { cwd: folder });

  it("mean the subcommand", () => {
    const workspace = copyOf("before");
    cliOk(["audit", "--new", "--tier", "title", "--workspace", workspace]);
    const [other] = jsonOf(["runs", "list"], workspace);
    const { calibration_id: id } = jsonOf(["calibrate", "--run", run], workspace);
    expect(JSON.parse(flags("--json", "--workspace", workspace, "list").stdout)).toHaveLength(1);
    const out = join(folder, "before.jsonl");
    const applied = flags("--workspace", workspace, "--run", run, "--json", "--out", out, "apply", id);
    expect(JSON.parse(applied.stdout)).toMatchObject({ audits: `run ${run}`, rows: 382 + 50 });
    // What stands last counts.
    const last = flags(
      "--workspace",
      workspace,
      "--run",
      run,
      "apply",
      id,
      "--run",
      other.run_id,
      "--out",
      out,
      "--json",
    );
    expect(JSON.parse(last.stdout).audits).toBe(`run ${other.run_id}`);
    const { labels } = auditsFile("before-labels", 10);
    const compared = flags("--labels", labels, "--workspace", workspace, "compare", run, other.run_id);
    expect(compared.stderr).toContain("no verdict has");
    const { audits } = auditsFile("before-foreign", 30, () => ({ auditor: "openai:gpt-4.1" }));
    expect(flags("--force", "--audits", audits, "--workspace", workspace, "apply", id, "--out", out).status).toBe(0);
  });

  it("are refused where it has no use for them", () => {
    for (const [flag, ...args] of [
      ["--method", "--method", "platt", "list"],
      ["--md", "--md=x.md", "list"],
      ["--holdout", "--holdout", "0.3", "compare", "a", "b"],
      ["--labels", "--labels", "x.csv", "show", "a"],
      ["--draws", "--draws", "50", "compare", "a", "b"],
    ]) {
      const { status, stderr } = flags(...args, "--workspace", sample);
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(new RegExp(`${flag}: (cannot be used with|got 50, expected)`)),
      ]);
    }
  });

  it("are read as for report compare, which has its own", () => {
    const { audits } = auditsFile("rc-a", 20);
    const { audits: second } = auditsFile("rc-b", 20);
    const told = cli(["report", "--json", "--rows", "3", "compare", audits, second]);
    expect([told.status, told.stderr]).toEqual([0, ""]);
    expect(JSON.parse(told.stdout)).toBeTruthy();
    expect(cli(["report", "--cohort", "x", "compare", audits, second]).stderr).toContain(
      "--cohort: cannot be used with compare",
    );
  });
});

describe("calibrate list", () => {
  it("shows what is sound and names what is not", () => {
    const workspace = copyOf("damaged");
    const { calibration_id: id } = jsonOf(["calibrate"], workspace) as StoredCalibration;
    const bad = "20260601T000000Z-abcd";
    writeFileSync(join(workspace, "calibrations", `${bad}.json`), "{");
    const { status, stdout, stderr } = cli(["calibrate", "list", "--workspace", workspace]);
    expect(status).toBe(0);
    expect(stdout).toContain(id);
    expect(stderr).toContain(`${bad}.json: not a calibration`);
    expect(jsonOf(["calibrate", "list"], workspace)).toMatchObject([
      { calibration_id: id },
      { calibration_id: bad, damaged: expect.stringContaining("not a calibration") },
    ]);
  });
});

describe("calibrate apply", () => {
  it("writes the probability into every audit, and refuses audits of another auditor unless forced", () => {
    const workspace = copyOf("apply");
    const { calibration_id: id } = jsonOf(["calibrate"], workspace) as StoredCalibration;
    const out = join(folder, "applied.jsonl");
    // A newer run of another tier is not what the calibration was fitted on.
    cliOk(["audit", "--tier", "title", "--communities", "quiet-corner", "--workspace", workspace]);
    expect(jsonOf(["calibrate", "apply", id, "--out", out], workspace)).toMatchObject({
      rows: 382 + 50,
      calibrated: 382 + 50,
    });
    const rows = readFileSync(out, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const row of rows) {
      expect(row.p_calibrated).toBeGreaterThan(0);
      expect(row.p_calibrated).toBeLessThan(1);
      expect(row).toMatchObject({ calibration_id: id, run_id: run });
      expect(row.flags).not.toContain("foreign_calibration");
    }
    const { audits } = auditsFile("foreign", 50, () => ({ auditor: "openai:gpt-4.1" }));
    const args = [
      "calibrate",
      "apply",
      id,
      "--audits",
      audits,
      "--workspace",
      workspace,
      "--out",
      join(folder, "foreign.csv"),
    ];
    const { status, stderr } = cli(args);
    expect(status).toBe(1);
    expect(stderr).toContain("auditor: calibrated on baseline, these audits are of openai:gpt-4.1");
    expect(existsSync(join(folder, "foreign.csv"))).toBe(false);
    expect(cliOk([...args, "--force"])).toContain("50 with p_calibrated");
    expect(readFileSync(join(folder, "foreign.csv"), "utf8").match(/foreign_calibration/g)).toHaveLength(50);
  });

  it("applies a calibration that is kept in a file", () => {
    const { audits, labels } = auditsFile("loose", 100);
    const kept = join(folder, "kept.json");
    cliOk(["calibrate", "--audits", audits, "--labels", labels, "--out", kept]);
    const out = join(folder, "loose.parquet");
    expect(cliOk(["calibrate", "apply", kept, "--audits", audits, "--out", out])).toContain("100 with p_calibrated");
    const report = JSON.parse(cliOk(["report", "--audits", out, "--json"]));
    expect(report.counts.verdicts).toBe(100);
  });

  it("ends with 1 and a sentence where the disk is full", () => {
    const { audits, labels } = auditsFile("disk", 100);
    const kept = join(folder, "disk.json");
    cliOk(["calibrate", "--audits", audits, "--labels", labels, "--out", kept]);
    symlinkSync("/dev/full", join(folder, "full.parquet"));
    const { status, stderr } = cli([
      "calibrate",
      "apply",
      kept,
      "--audits",
      audits,
      "--out",
      join(folder, "full.parquet"),
    ]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("no space left on the disk")]);
  });

  it("does not apply what is no probability", () => {
    const workspace = copyOf("nothing");
    const { calibration_id: id } = jsonOf(["calibrate", "--method", "paper"], workspace) as StoredCalibration;
    const { status, stderr } = cli([
      "calibrate",
      "apply",
      id,
      "--out",
      join(folder, "x.csv"),
      "--workspace",
      workspace,
    ]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("there is nothing to apply")]);
  });
});

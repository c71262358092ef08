import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SIMULATION_FILE } from "../../core/names.js";
import { simulatedAuditorSchema } from "../../core/results/simulated-auditor.js";
import { readSettings } from "./truth-table.js";

const folder = mkdtempSync(join(tmpdir(), "settings-"));
const file = join(folder, SIMULATION_FILE);
const defaults = simulatedAuditorSchema.parse({});

describe("readSettings", () => {
  it("takes the file's settings, and the defaults for what they leave out", () => {
    writeFileSync(file, JSON.stringify({ auditor: { noise: 0.5 } }));
    expect(readSettings("", folder).settings).toEqual({ ...defaults, noise: 0.5 });
    expect(readSettings("columns,bias=0.3", folder)).toEqual({
      columns: true,
      settings: { ...defaults, noise: 0.5, bias: 0.3 },
    });
    writeFileSync(file, JSON.stringify({ auditor: {} }));
    expect(readSettings("", folder).settings).toEqual(defaults);
  });

  it("takes no defaults for a file that is damaged or gone, unless the name says a preset", () => {
    for (const text of ["[]", "{}", "null", '{"auditor":null}', '{"auditor":[]}', '{"auditor":"x"}', "{", ""]) {
      writeFileSync(file, text);
      expect(() => readSettings("", folder), text).toThrow(/simulation\.json: (not JSON|the settings of the auditor)/);
      expect(() => readSettings("columns,noise=0.5", folder), text).toThrow(/simulation\.json/);
      expect(readSettings("preset=default", folder).settings, text).toEqual(defaults);
    }
    rmSync(file);
    expect(() => readSettings("", folder)).toThrow(/there is no such file/);
    expect(readSettings("preset=paper,noise=0.5", folder).settings.noise).toBe(0.5);
  });
});

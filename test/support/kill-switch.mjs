// Loaded before the command line (`node --import`): ends the process by SIGKILL at an exact moment, as a power cut would.
//   KILL_AT_BYTE=n            in the middle of writing the n-th byte of a run's audits.jsonl
//   KILL_AT_RENAME=before     just before a run's audits.parquet gets its name
//   KILL_AT_RENAME=after      just after it
//   KILL_AT_CHANGE=n          just before the n-th time that a file other than a lock is renamed or removed
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { openSync, writeSync, renameSync, rmSync } = fs;
const die = () => process.kill(process.pid, "SIGKILL");

const killAtByte = process.env.KILL_AT_BYTE ? Number(process.env.KILL_AT_BYTE) : null;
const killAtRename = process.env.KILL_AT_RENAME ?? null;
const logs = new Set();

fs.openSync = (path, ...rest) => {
  const file = openSync(path, ...rest);
  if (String(path).endsWith("audits.jsonl")) logs.add(file);
  return file;
};

fs.writeSync = (file, data, ...rest) => {
  if (killAtByte === null || !logs.has(file)) return writeSync(file, data, ...rest);
  const size = fs.fstatSync(file).size;
  const offset = rest[0] ?? 0;
  if (size + data.length - offset < killAtByte) return writeSync(file, data, ...rest);
  writeSync(file, data, offset, killAtByte - size);
  die();
};

let changes = process.env.KILL_AT_CHANGE ? Number(process.env.KILL_AT_CHANGE) : Number.POSITIVE_INFINITY;
const changing = (path) => {
  if (!/lock/.test(String(path)) && --changes === 0) die();
};

fs.rmSync = (path, ...rest) => {
  if (fs.existsSync(path)) changing(path);
  rmSync(path, ...rest);
};

fs.renameSync = (from, to) => {
  changing(to);
  const sealing = String(to).endsWith("audits.parquet");
  if (sealing && killAtRename === "before") die();
  renameSync(from, to);
  if (sealing && killAtRename === "after") die();
};

syncBuiltinESMExports();

// `defensible` in the shells of tests (`shell.ts`): asks the warm command line of the test's process, and ends as the command did.
import { readFileSync, writeSync } from "node:fs";
import { connect } from "node:net";

const [path, ...args] = process.argv.slice(2);
const socket = connect(path);
socket.end(JSON.stringify({ args, cwd: process.cwd(), env: process.env, input: readFileSync(0, "utf8") }));
let answer = "";
for await (const part of socket.setEncoding("utf8")) answer += part;
const { status, stdout, stderr } = JSON.parse(answer);
for (const [file, text] of [
  [2, stderr],
  [1, stdout],
]) {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
process.exitCode = status;

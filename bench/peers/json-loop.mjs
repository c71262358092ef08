// The reference: every line of a file through JSON.parse and JSON.stringify, written out again in the batches in which it was read.
//   node bench/peers/json-loop.mjs FILE > /dev/null
import { openSync, readSync, writeSync } from "node:fs";

const file = openSync(process.argv[2], "r");
const chunk = Buffer.alloc(1 << 18);
let rest = Buffer.alloc(0);
for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
  const data = Buffer.concat([rest, chunk.subarray(0, read)]);
  let out = "";
  let start = 0;
  for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
    out += `${JSON.stringify(JSON.parse(data.toString("utf8", start, end)))}\n`;
    start = end + 1;
  }
  rest = Buffer.from(data.subarray(start));
  if (out) writeSync(1, out);
}

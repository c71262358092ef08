import { jsonSchema, type OutputFormat } from "../../auditors/output-format.js";
import { RENDERING } from "./compose.js";
import { hashParts } from "./nonce.js";

/** `<name>-<number>#<8 hex digits>`: other instructions, another schema or another rendering is another version. */
export function versionOf(name: string, number: number, instructions: string, format: OutputFormat): string {
  const hash = hashParts([instructions, JSON.stringify(jsonSchema(format)), String(RENDERING)]);
  return `${name}-${number}#${hash.slice(0, 8)}`;
}

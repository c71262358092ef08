/**
 * @deprecated Import from "defensible/auditors" instead.
 * @packageDocumentation
 */

export * from "../audit/prompt/index.js";

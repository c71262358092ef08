// TypeDoc needs the compiler's JavaScript API, which TypeScript 7 does not have: its imports of `typescript` get version 6.
import { register } from "node:module";

const hook = `export function resolve(specifier, context, next) {
  const asks = specifier === "typescript" && context.parentURL?.includes("/node_modules/typedoc/");
  return next(asks ? "typescript-6" : specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`, import.meta.url);

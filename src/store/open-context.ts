import { type FileContext, fileContext } from "./files/stores.js";
import { openWorkspace } from "./files/workspace.js";

/** Opens what is kept in a place: the folder of a workspace. */
export function openContext(place: string, now?: () => Date): FileContext {
  return fileContext(openWorkspace(place), now);
}

import { DARK, LIGHT, type Palette } from "../draw/palette.ts";

const variables = (palette: Palette) =>
  Object.entries(palette)
    .map(([role, colour]) => `--${role}:${colour};`)
    .join("");

/** The palettes as CSS variables: light, dark if the system or the reader asks for it, and light on paper. */
function themeCss(): string {
  return [
    `:root{color-scheme:light;${variables(LIGHT)}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${variables(DARK)}}}`,
    `@media screen{:root[data-theme=dark]{color-scheme:dark;${variables(DARK)}}}`,
  ].join("\n");
}

export function applyTheme(document: Document): void {
  const style = document.createElement("style");
  style.textContent = themeCss();
  document.head.append(style);
}

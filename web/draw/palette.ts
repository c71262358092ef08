/**
 * Every colour of the report by what it means; a meaning has the same colour everywhere. The hues are those of Okabe and Ito, which people
 * with any common colour blindness tell apart, darkened where text or thin lines need contrast. Wherever colour separates things, so
 * does shape, order or a label.
 */
const ROLES = [
  "ink",
  "muted",
  "grid",
  "paper",
  "zone",
  "level-1",
  "level-2",
  "level-3",
  "ambiguity",
  "agreement",
  "accent",
  "earned",
  "gaps",
  "complex",
  "few",
  "series-1",
  "series-2",
  "series-3",
  "series-4",
  "series-5",
  "series-6",
  "ramp-1",
  "ramp-2",
  "ramp-3",
  "ramp-4",
] as const;
export type Role = (typeof ROLES)[number];
export type Palette = Readonly<Record<Role, string>>;

export const LIGHT: Palette = {
  ink: "#1b2430",
  muted: "#5a6675",
  grid: "#dfe3e8",
  paper: "#ffffff",
  zone: "#e6f4ee",
  "level-1": "#0072b2",
  "level-2": "#56b4e9",
  "level-3": "#d55e00",
  ambiguity: "#8a5a9e",
  agreement: "#7a828c",
  accent: "#0072b2",
  earned: "#00795a",
  gaps: "#d55e00",
  complex: "#8a5a9e",
  few: "#8b939c",
  "series-1": "#0072b2",
  "series-2": "#d55e00",
  "series-3": "#00795a",
  "series-4": "#8a5a9e",
  "series-5": "#b07900",
  "series-6": "#5a6675",
  "ramp-1": "#bf8000",
  "ramp-2": "#c2560c",
  "ramp-3": "#8f2d56",
  "ramp-4": "#3d1d5c",
};

export const DARK: Palette = {
  ink: "#e8ecf1",
  muted: "#a3aebb",
  grid: "#2f3843",
  paper: "#14191f",
  zone: "#15302a",
  "level-1": "#4aa8e0",
  "level-2": "#9bd4f5",
  "level-3": "#f08a3c",
  ambiguity: "#c39ad6",
  agreement: "#9aa4af",
  accent: "#6bb8ea",
  earned: "#35c29a",
  gaps: "#f08a3c",
  complex: "#c39ad6",
  few: "#87919c",
  "series-1": "#4aa8e0",
  "series-2": "#f08a3c",
  "series-3": "#35c29a",
  "series-4": "#c39ad6",
  "series-5": "#e0b040",
  "series-6": "#a3aebb",
  "ramp-1": "#f2c14e",
  "ramp-2": "#ef8a4a",
  "ramp-3": "#d96a96",
  "ramp-4": "#b49ae6",
};

/** Colours by name of a CSS variable, so that a picture on the page follows the theme without being drawn anew. */
export const BY_VARIABLE = Object.fromEntries(ROLES.map((role) => [role, `var(--${role})`])) as Palette;

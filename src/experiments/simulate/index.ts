export { plantedFigure } from "./planted-figure.js";
export { prepareFolder } from "./prepare-folder.js";
export { simulationOf, type WorldWishes } from "./settings.js";
export { type WrittenWorld, writeWorld } from "./write-world.js";

export { prepareFolder } from "./prepare-folder.js";
export { simulationOf, type WorldWishes } from "./settings.js";
export { plantedFigure } from "./simulate-document.js";
export { type WrittenWorld, writeWorld } from "./write-world.js";

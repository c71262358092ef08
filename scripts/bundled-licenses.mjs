// The licences of what is inside the bundles, from the packages that the bundler took modules of.
import { readdirSync, readFileSync } from "node:fs";

/** Folders of the packages of modules: everything up to the package's name after the last `node_modules`. */
export function packageFolders(moduleIds) {
  const folders = moduleIds.flatMap((id) => id.match(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/)?.[0] ?? []);
  return [...new Set(folders.map((folder) => folder.replace(/^\0/, "")))];
}

/** One text with the name, version and licence of each package. A package without a licence must not be shipped. */
export function licensesText(folders) {
  const entries = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry));
    if (!file && !license) throw new Error(`licence: ${name} has none; it cannot be bundled`);
    const text = file ? readFileSync(`${folder}/${file}`, "utf8").trim() : `Licence: ${license}`;
    return { name, version, license, text };
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const head = "The files of this folder contain parts of these packages, under these licences.\n";
  return `${head}${entries.map(({ name, version, license, text }) => `\n${"=".repeat(79)}\n${name} ${version} (${license})\n\n${text}\n`).join("")}`;
}

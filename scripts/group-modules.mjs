// Which modules of the command line share a file. Split exactly by who needs what, it would be some 300 files, and opening a file costs as much as
// reading tens of kilobytes that are not needed; so parts are joined while that saves more than it costs.

/** What opening a file costs, in bytes of code that could be read in the same time. Measured: 0.4 ms against 12 µs a kilobyte; a little more keeps files few. */
const FILE_COST = 50_000;

/** Makers of schemas run as soon as they are read, which takes ten times as long as reading alone. */
const MAKER = /[\\/]node_modules[\\/]zod[\\/]/;
const MAKER_COST = 10;

/**
 * Names of files by module.
 * @param graph modules by id: `{ imports, dynamic, size }`.
 * @param first entries by the name of the file for what they need; everything loads these, so each gets one file.
 */
export function groupModules(graph, first) {
  const names = new Map();
  const common = new Set();
  for (const [name, entries] of Object.entries(first)) {
    for (const id of closure(graph, entries)) {
      if (common.has(id)) continue;
      common.add(id);
      if (!entries.includes(id)) names.set(id, name);
    }
  }
  const taken = new Set(Object.keys(first));
  for (const { modules } of joined(partsOf(graph, common))) {
    const [largest] = [...modules].sort((a, b) => graph.get(b).size - graph.get(a).size || (a < b ? -1 : 1));
    // Two parts of one name would be one file.
    const base = fileName(largest);
    let name = base;
    for (let i = 2; taken.has(name); i++) name = `${base}-${i}`;
    taken.add(name);
    for (const id of modules) names.set(id, name);
  }
  return names;
}

function closure(graph, entries) {
  const seen = new Set(entries);
  for (const id of seen) for (const next of graph.get(id)?.imports ?? []) if (graph.has(next)) seen.add(next);
  return seen;
}

/** Modules that are loaded from the same places, by two or more of them. What one place alone loads stays with it. */
function partsOf(graph, common) {
  const places = [...new Set([...graph.values()].flatMap(({ dynamic }) => dynamic))]
    .filter((id) => graph.has(id))
    .sort();
  const loadedFrom = new Map();
  for (const [number, place] of places.entries()) {
    for (const id of closure(graph, [place])) {
      if (!common.has(id)) loadedFrom.set(id, [...(loadedFrom.get(id) ?? []), number]);
    }
  }
  const parts = new Map();
  for (const [id, from] of loadedFrom) {
    if (from.length < 2) continue;
    const key = from.join(" ");
    if (!parts.has(key)) parts.set(key, { from: new Set(from), modules: new Set(), size: 0, makes: false });
    const part = parts.get(key);
    part.modules.add(id);
    part.size += costOf(graph, id);
    part.makes ||= MAKER.test(id);
  }
  const list = [...parts.values()];
  const partOf = new Map(list.flatMap((part) => [...part.modules].map((id) => [id, part])));
  for (const part of list) {
    const targets = [...part.modules].flatMap((id) => graph.get(id).imports).map((id) => partOf.get(id));
    part.imports = new Set(targets.filter((target) => target && target !== part));
  }
  return list;
}

function costOf(graph, id) {
  const { imports, size } = graph.get(id);
  return size * ([id, ...imports].some((name) => MAKER.test(name)) ? MAKER_COST : 1);
}

/** Joins the two parts that gain most, until none gain. Parts never import each other in a circle. */
function joined(parts) {
  const gains = new Map(parts.map((part) => [part, new Map()]));
  const compare = (part, others) => {
    for (const other of others) if (other !== part) gains.get(part).set(other, gain(part, other));
  };
  for (const [i, part] of parts.entries()) compare(part, parts.slice(i + 1));
  for (;;) {
    let best = { gain: 0 };
    for (const [a, row] of gains) {
      for (const [b, value] of row) if (value > best.gain) best = { a, b, gain: value };
    }
    if (best.gain === 0) return [...gains.keys()];
    const { a, b } = best;
    // What they lead to may have been joined with something else since.
    const now = gain(a, b);
    if (now < best.gain) {
      gains.get(a).set(b, now);
      continue;
    }
    if (leadsAround(a, b) || leadsAround(b, a)) {
      gains.get(a).delete(b);
      continue;
    }
    join(a, b, [...gains.keys()]);
    gains.delete(b);
    // Whatever the joined part needs is now loaded from more places.
    for (const changed of [a, ...reach(a)]) {
      for (const row of gains.values()) {
        row.delete(changed);
        row.delete(b);
      }
      gains.set(changed, new Map());
      compare(changed, gains.keys());
    }
  }
}

function gain(a, b) {
  let both = 0;
  for (const place of a.from) if (b.from.has(place)) both++;
  return both * FILE_COST - loadedInVain(a, b) - loadedInVain(b, a);
}

/** What the places of `a` would load because of `b` and do not need. */
function loadedInVain(a, b) {
  const more = [...a.from].filter((place) => !b.from.has(place));
  if (more.length === 0) return 0;
  if (b.makes) return Number.POSITIVE_INFINITY;
  let cost = more.length * b.size;
  for (const part of reach(b)) {
    if (part === a) continue;
    const vain = more.filter((place) => !part.from.has(place)).length;
    // A place without schemas stays without: some commands start in less time than it takes to make them.
    if (vain > 0 && part.makes) return Number.POSITIVE_INFINITY;
    cost += vain * (part.size + FILE_COST);
  }
  return cost;
}

/** Every part that a part leads to. */
function reach(part) {
  const seen = new Set(part.imports);
  for (const next of seen) for (const further of next.imports) seen.add(further);
  return seen;
}

/** Whether a part that `a` imports, other than `b`, leads to `b`. */
function leadsAround(a, b) {
  const seen = new Set([...a.imports].filter((part) => part !== b));
  for (const part of seen) {
    if (part.imports.has(b)) return true;
    for (const next of part.imports) seen.add(next);
  }
  return false;
}

function join(a, b, parts) {
  for (const place of b.from) a.from.add(place);
  for (const id of b.modules) a.modules.add(id);
  for (const target of b.imports) a.imports.add(target);
  a.size += b.size;
  a.makes ||= b.makes;
  for (const part of parts) if (part.imports.delete(b)) part.imports.add(a);
  a.imports.delete(a);
  for (const part of reach(a)) for (const place of a.from) part.from.add(place);
}

const fileName = (id) =>
  id
    .replace(/^.*\/node_modules\/(?:@[^/]+\/)?([^/]+)\/.*$/, "$1")
    .replace(/^.*\//, "")
    .replace(/\.\w+$/, "");

// The live service: routes, ingest, two nodes, memory and the report of a live run, each against a reference in the same run.
//   npm run bench -- serve            all of them
//   npm run bench -- serve ingest     one of: route, ingest, nodes, memory, report
import { row } from "./measure.mjs";
import { addAudited } from "./serve/decisions.mjs";
import { benchIngest } from "./serve/ingest.mjs";
import { benchMemory } from "./serve/memory.mjs";
import { benchNodes } from "./serve/nodes.mjs";
import { machineLoad, openPlace } from "./serve/place.mjs";
import { benchLiveReport } from "./serve/report.mjs";
import { benchRoute } from "./serve/route.mjs";

const PARTS = {
  route: benchRoute,
  ingest: async (place) => benchIngest(place, await addAudited(place, "ingest", 1000)),
  nodes: benchNodes,
  memory: benchMemory,
  report: benchLiveReport,
};

export async function benchServe(only = process.argv[3]) {
  const place = await openPlace();
  try {
    for (const [name, part] of Object.entries(PARTS)) {
      if (only && only !== name) continue;
      row(`serve ${name}: load of the machine`, machineLoad());
      await part(place);
    }
  } finally {
    await place.close();
  }
}

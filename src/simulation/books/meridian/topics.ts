import type { Topic } from "../book.js";

/** Fields in which people keep a common journal. */
export const TOPICS: readonly Topic[] = [
  {
    slug: "violin",
    words: { field: "violin playing", colleagues: "string players" },
    lists: {
      an_object: ["a student bow", "a gut string", "a chin rest", "an old mute", "a rosin cake", "a bridge blank"],
      objects: ["bows", "gut strings", "bridges", "études", "mutes", "shoulder rests"],
      process: [
        "shifting to third position",
        "tuning by fifths",
        "practising spiccato",
        "memorising études",
        "setting up a bridge",
      ],
      venue: [
        "the chamber hall",
        "the conservatoire",
        "the luthier's bench",
        "the rehearsal annex",
        "the summer academy",
      ],
    },
  },
  {
    slug: "chess",
    words: { field: "chess", colleagues: "players of chess" },
    lists: {
      an_object: [
        "a rook endgame",
        "an opening file",
        "a digital clock",
        "a problem in four moves",
        "a score sheet",
        "a match book",
      ],
      objects: ["endgames", "openings", "score sheets", "clocks", "studies", "tournament bulletins"],
      process: [
        "calculating forced lines",
        "preparing with black",
        "annotating games",
        "holding a pawn down",
        "managing the clock",
      ],
      venue: [
        "the evening league",
        "the national library",
        "the correspondence section",
        "the analysis room",
        "the congress",
      ],
    },
  },
  {
    slug: "home-energy",
    words: { field: "household energy", colleagues: "householders" },
    lists: {
      an_object: ["a heat pump", "a smart meter", "a storage tank", "a roof panel", "a draught strip", "a thermostat"],
      objects: ["heat pumps", "meters", "storage tanks", "roof panels", "radiators", "insulation boards"],
      process: [
        "balancing radiators",
        "reading the meter hourly",
        "insulating a loft",
        "sizing a battery",
        "lowering flow temperature",
      ],
      venue: ["the terrace house", "the plant room", "the energy office", "the test building", "the housing fair"],
    },
  },
  {
    slug: "astronomy",
    words: { field: "amateur astronomy", colleagues: "observers" },
    lists: {
      an_object: [
        "a refractor",
        "a star chart",
        "an eyepiece",
        "an equatorial mount",
        "a solar filter",
        "a dew heater",
      ],
      objects: ["eyepieces", "mounts", "star charts", "filters", "observing logs", "mirrors"],
      process: [
        "polar alignment",
        "timing occultations",
        "collimating a mirror",
        "estimating magnitudes",
        "sketching the Moon",
      ],
      venue: ["the dark-sky park", "the public observatory", "the hill site", "the society's dome", "the planetarium"],
    },
  },
  {
    slug: "cycle-commuting",
    words: { field: "commuting by bicycle", colleagues: "cycle commuters" },
    lists: {
      an_object: ["a hub dynamo", "a pannier", "a studded tyre", "a belt drive", "a rear lamp", "a rain cape"],
      objects: ["panniers", "tyres", "lamps", "locks", "mudguards", "brake pads"],
      process: [
        "planning a winter route",
        "truing a wheel",
        "carrying a laptop dry",
        "combining train and bicycle",
        "riding in traffic",
      ],
      venue: ["the ring road", "the station ramp", "the canal path", "the works entrance", "the bridge"],
    },
  },
  {
    slug: "translation",
    words: { field: "literary translation", colleagues: "translators" },
    lists: {
      an_object: [
        "a bilingual glossary",
        "a verse letter",
        "a dialect novel",
        "a style sheet",
        "a concordance",
        "a proof copy",
      ],
      objects: ["glossaries", "idioms", "dialect passages", "footnotes", "style sheets", "proof copies"],
      process: [
        "rendering puns",
        "keeping metre",
        "choosing forms of address",
        "dating a dialect",
        "revising one's own draft",
      ],
      venue: ["the reading room", "the translators' house", "the festival", "the archive", "the publisher's office"],
    },
  },
  {
    slug: "woodturning",
    words: { field: "woodturning", colleagues: "turners" },
    lists: {
      an_object: [
        "a bowl gouge",
        "a live centre",
        "a sycamore blank",
        "a scroll chuck",
        "a face shield",
        "a grinding jig",
      ],
      objects: ["gouges", "chucks", "blanks", "finishes", "face shields", "grinding wheels"],
      process: [
        "hollowing end grain",
        "sharpening at one angle",
        "drying blanks",
        "cutting beads",
        "turning thin walls",
      ],
      venue: ["the evening workshop", "the sawmill", "the craft college", "the guild's stand", "the timber yard"],
    },
  },
  {
    slug: "house-plants",
    words: { field: "indoor plants", colleagues: "growers" },
    lists: {
      an_object: [
        "a peat-free mix",
        "a grow lamp",
        "a terracotta pot",
        "a moss pole",
        "a cutting in water",
        "a humidity tray",
      ],
      objects: ["cuttings", "potting mixes", "grow lamps", "moss poles", "self-watering pots", "leaf samples"],
      process: [
        "repotting in winter",
        "rooting cuttings",
        "reading leaf damage",
        "watering from below",
        "acclimatising seedlings",
      ],
      venue: ["the palm house", "the north window", "the plant clinic", "the nursery", "the stairwell"],
    },
  },
];

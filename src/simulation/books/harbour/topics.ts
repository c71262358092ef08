import type { Topic } from "../book.js";

/** Pastimes of people who live by the water. */
export const TOPICS: readonly Topic[] = [
  {
    slug: "kayaking",
    words: { craft: "sea kayaking", people: "paddlers" },
    lists: {
      a_thing: ["a spray skirt", "a carbon paddle", "a dry bag", "a deck compass", "a tow line", "a bilge pump"],
      things: ["spray skirts", "paddles", "dry bags", "hull repair kits", "buoyancy aids", "deck bungees"],
      place: ["the north jetty", "the slipway", "the old boathouse", "the sand spit", "the lock"],
      subject: ["landing in surf", "reading tide tables", "packing for two nights", "paddling into wind", "rolling"],
    },
  },
  {
    slug: "birds",
    words: { craft: "birdwatching", people: "birders" },
    lists: {
      a_thing: ["a spotting scope", "a field guide", "a nest box", "a camouflage net", "a tripod", "a ringing log"],
      things: ["binoculars", "field guides", "nest boxes", "feeders", "sound recorders", "tripods"],
      place: ["the reed hide", "the salt marsh", "the gull cliff", "the reservoir", "the willow bank"],
      subject: ["telling terns apart", "counting waders", "autumn passage", "songs at dawn", "keeping a list"],
    },
  },
  {
    slug: "bread",
    words: { craft: "home baking", people: "bakers" },
    lists: {
      a_thing: ["a proving basket", "a stone mill", "a dough scraper", "a loaf tin", "a baking steel", "a starter jar"],
      things: ["proving baskets", "loaf tins", "flours", "starters", "dough hooks", "oven stones"],
      place: ["the village oven", "the mill shop", "the parish kitchen", "the market hall", "the corner bakery"],
      subject: ["a dense crumb", "feeding a starter", "steam in a small oven", "shaping wet dough", "rye loaves"],
    },
  },
  {
    slug: "allotments",
    words: { craft: "allotment gardening", people: "plot holders" },
    lists: {
      a_thing: ["a seed drill", "a cold frame", "a water butt", "a compost bin", "a hoe", "a fruit cage"],
      things: ["seed potatoes", "cold frames", "water butts", "netting", "bean poles", "raised beds"],
      place: ["the lower plots", "the tool shed", "the pump", "the hedge gate", "the compost bays"],
      subject: ["slugs on young beans", "late frost", "clay soil", "saving seed", "rotating beds"],
    },
  },
  {
    slug: "model-rail",
    words: { craft: "model railways", people: "modellers" },
    lists: {
      a_thing: ["a shunting engine", "a signal box kit", "a turntable", "a guard's van", "a point motor", "a viaduct"],
      things: ["carriages", "point motors", "track pins", "signal kits", "couplings", "controllers"],
      place: ["the club room", "the exhibition hall", "the station museum", "the loft layout", "the swap table"],
      subject: ["wiring a return loop", "weathering wagons", "ballasting curves", "timetables", "scenery on a slope"],
    },
  },
  {
    slug: "film-photo",
    words: { craft: "film photography", people: "photographers" },
    lists: {
      a_thing: [
        "a folding camera",
        "an enlarger",
        "a light meter",
        "a changing bag",
        "a roll of slide film",
        "a cable release",
      ],
      things: ["enlargers", "light meters", "film tanks", "filters", "negatives", "lens hoods"],
      place: ["the darkroom", "the pier", "the print shop", "the lighthouse path", "the gallery stairs"],
      subject: [
        "pushing film",
        "even development",
        "metering snow",
        "printing with contrast filters",
        "dust on negatives",
      ],
    },
  },
  {
    slug: "board-games",
    words: { craft: "board games", people: "players" },
    lists: {
      a_thing: [
        "a deck of hazard cards",
        "a trading game",
        "a set of wooden ships",
        "a dice tower",
        "an old atlas game",
        "a rule booklet",
      ],
      things: ["expansions", "card sleeves", "miniatures", "dice towers", "player boards", "house rules"],
      place: ["the tea room", "the library basement", "the game night", "the ferry lounge", "the long table"],
      subject: ["teaching new players", "a slow middle game", "scoring ties", "games for two", "painting pieces"],
    },
  },
  {
    slug: "knitting",
    words: { craft: "knitting", people: "knitters" },
    lists: {
      a_thing: [
        "a skein winder",
        "a fisherman's jumper pattern",
        "a set of bamboo needles",
        "a blocking board",
        "a cable hook",
        "a yarn bowl",
      ],
      things: ["needles", "skeins", "stitch markers", "patterns", "buttons", "blocking wires"],
      place: ["the wool shop", "the chapel room", "the ferry", "the quilt fair", "the lace museum"],
      subject: ["turning a heel", "reading charts", "gauge swatches", "mending elbows", "short rows"],
    },
  },
];

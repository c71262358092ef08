import type { Topic } from "../book.js";

/** Boards of a small town. */
export const TOPICS: readonly Topic[] = [
  {
    slug: "night-bus",
    words: { board: "the night bus", folk: "passengers" },
    lists: {
      a_bit: ["a season ticket", "a folded pram", "a lost umbrella", "a wet seat", "a paper timetable"],
      bits: ["tickets", "timetables", "seats", "stops", "transfers"],
      task: ["catching the last connection", "finding the new stop", "travelling with a pram", "claiming a refund"],
      spot: ["Alder Cross", "the depot", "the hospital stop", "Tanner Street"],
    },
  },
  {
    slug: "street-market",
    words: { board: "the street market", folk: "stallholders" },
    lists: {
      a_bit: ["a cheese wheel", "a folding table", "a till roll", "a crate of pears", "an awning"],
      bits: ["awnings", "crates", "scales", "pears", "pitches"],
      task: ["keeping greens fresh", "packing up in rain", "labelling cheese", "giving change"],
      spot: ["the fountain", "row four", "the corn hall", "the car park"],
    },
  },
  {
    slug: "flat-share",
    words: { board: "flat sharing", folk: "flatmates" },
    lists: {
      a_bit: ["a fridge shelf", "a cleaning rota", "a spare key", "a loud washing machine", "a broken blind"],
      bits: ["rotas", "keys", "bins", "shelves", "bills"],
      task: ["splitting the gas bill", "keeping a rota", "sharing one bathroom", "moving out fairly"],
      spot: ["the landing", "the kitchen", "the back yard", "Brewer's Court"],
    },
  },
  {
    slug: "mending",
    words: { board: "mending things", folk: "menders" },
    lists: {
      a_bit: ["a toaster", "a wobbly chair", "a zip", "a standing lamp", "a bread slicer"],
      bits: ["toasters", "zips", "chairs", "plugs", "hinges"],
      task: ["freeing a stuck zip", "gluing a chair leg", "changing a plug", "finding a spare part"],
      spot: ["the repair table", "the church hall", "the tip", "the tool library"],
    },
  },
  {
    slug: "town-pets",
    words: { board: "pets in town", folk: "pet keepers" },
    lists: {
      a_bit: ["a nervous spaniel", "a cat flap", "a rabbit hutch", "a chewed lead", "an old tortoise"],
      bits: ["leads", "hutches", "cat flaps", "feed bowls", "collars"],
      task: ["walking two dogs", "settling a kitten", "trimming claws", "leaving a cat for a weekend"],
      spot: ["the dog meadow", "the mill pond", "the vet's corner", "Orchard Rise"],
    },
  },
  {
    slug: "school-run",
    words: { board: "the school run", folk: "parents" },
    lists: {
      a_bit: ["a scooter", "a lunch box", "a lost mitten", "a walking bus", "a rain cover"],
      bits: ["scooters", "mittens", "lunch boxes", "bike seats", "lollipops"],
      task: ["crossing Mill Road", "getting out of the house", "sharing lifts", "packing for sports day"],
      spot: ["the lower gate", "the crossing", "the bicycle shed", "the lay-by"],
    },
  },
  {
    slug: "town-choir",
    words: { board: "the town choir", folk: "singers" },
    lists: {
      a_bit: ["a second alto part", "a pencilled score", "a music stand", "a high entry", "a pitch pipe"],
      bits: ["scores", "parts", "stands", "entries", "robes"],
      task: ["counting long rests", "learning a part at home", "singing in Latin", "warming up"],
      spot: ["the vestry", "the school hall", "the back row", "the bandstand"],
    },
  },
  {
    slug: "baths",
    words: { board: "the town baths", folk: "swimmers" },
    lists: {
      a_bit: ["a locker key", "a fast lane", "a verruca sock", "a kickboard", "a cold shower"],
      bits: ["lockers", "lanes", "goggles", "kickboards", "showers"],
      task: ["sharing a lane", "learning to dive", "swimming before work", "drying hair quickly"],
      spot: ["the shallow end", "the foyer", "lane three", "the sauna door"],
    },
  },
];

import type { BookRule } from "../book.js";

export const PLATFORM_RULES: readonly BookRule[] = [
  {
    key: "children",
    kind: "prohibition",
    titles: ["Never show other people's children"],
    description:
      "Meant: a photo or full name of a child that is not yours. Not meant: saying that there were children about.",
    detail:
      "No board may allow it. A school badge with a first name is as good as a full name. Still fine: a photo from the town paper, with the issue.",
    cases: {
      core: ["Showing you other people's children: here are all nine of them at {spot}, faces to the camera."],
      described: [
        "The full name of the neighbour's boy who rang our bell is {resident} Junior, and this is his photo.",
      ],
      detailed: ["Her badge says Hill School and her first name is on the bag. Seen at {spot}."],
      implied: ["You will all know which child I mean when I describe hair, coat, street and the little dog."],
      cleared: ["Lots of children at {spot} today, and a cheerful noise it was."],
      excepted: [
        "The photo of the prize-giving from the town paper, issue of {weekday}, other people's children and all.",
      ],
      open: ["A drawing of {spot} from memory, with the children who always sit there, as far as one can tell."],
    },
    foreign: {
      es: { core: ["Enseño a los hijos de otros: aquí están los nueve, de cara a la cámara."] },
      de: { core: ["Ich zeige fremde Kinder: hier sind alle neun, Gesicht zur Kamera."] },
    },
  },
  {
    key: "chain",
    kind: "prohibition",
    titles: ["Stop chain messages"],
    description: "Meant: texts that tell readers to send them on. Not meant: asking one neighbour to tell another.",
    detail: "Threats of bad luck make it worse, not different. Still fine: the town's own storm and water warnings.",
    cases: {
      core: ["Chain message! Do not stop it! Send this on to everyone on every board!"],
      described: ["Pass these lines about {bits} to ten people before {weekday} and see what happens."],
      detailed: ["Whoever keeps this to themselves will have seven years of rain at {spot}."],
      implied: ["It would be sad if these words ended with you."],
      cleared: ["Could somebody tell {resident} that the umbrella is at {spot}?"],
      excepted: ["The town hall: water off on {weekday} morning. Send this on to everyone, please."],
      open: ["More people ought to hear about {task}, if you happen to meet any."],
    },
  },
  {
    key: "pretend",
    kind: "prohibition",
    titles: ["Do not speak for the town hall"],
    description: "Meant: notices that look official and are not. Not meant: telling what an official notice said.",
    detail: "A made-up reference number is enough. Still fine: satire on the first of April.",
    cases: {
      core: ["I speak for the town hall, though nobody asked me to: {spot} is closed."],
      described: ["NOTICE. By order, {bits} are no longer permitted at {spot}. (I typed it myself, it looks good.)"],
      detailed: ["Ref. 77/B: all {folk} report to {spot} by {weekday}. The number is mine, the rest is too."],
      implied: ["Those in charge, so to speak, have decided about {bits}, and you may take it from me."],
      cleared: ["The notice on the door says that {spot} closes at six on {weekday}."],
      excepted: ["First of April, by order of the town hall: {bits} must be painted purple."],
      open: ["As a former clerk I can tell you how the town will decide on {bits}."],
    },
  },
  {
    key: "rough",
    kind: "subjective_content",
    titles: ["Keep it fit for all ages"],
    description: "Meant: what most parents would not want read out at supper. Not meant: plain words for plain things.",
    detail: "Stars in place of letters do not help. Still fine: a medical word where it is the point of the question.",
    cases: {
      core: ["Not fit for all ages, so cover the children's ears: here comes the rhyme about the vicar."],
      described: ["The joke that {resident} told at {spot} after midnight, word for word, and it was that kind."],
      detailed: ["What the driver said was ****, ****** and **** again, as clear as the stars in the sky."],
      implied: ["You can imagine what I saw behind {spot}, and I shall help you to imagine it."],
      cleared: ["There was dog dirt on {bits} again. Who cleans it?"],
      excepted: ["A question with a medical word in it, since that is the point: does chlorine make thrush worse?"],
      open: ["The graffiti at {spot} is back. It is rude, and I must say rather well drawn; it shows a bishop."],
    },
  },
  {
    key: "boundary",
    kind: "procedure",
    titles: ["Quarrels about a boundary belong to the arbiter and to nobody else"],
    description:
      "Who may put what where, when two neighbours both say that the ground is theirs: no board keeps or deletes such a message. The arbiter gets it.",
    detail: "Until the arbiter has answered, there is no basis in any rule for keeping it, and none for deleting it.",
    cases: {
      void: [
        "The strip behind {spot} is ours, {resident} has put {a_bit} on it, and {resident} says that it was never ours. Whose is it?",
        "My fence stands where the map says; {resident} holds up another map. Both of us claim the metre by {spot}.",
      ],
    },
  },
  {
    key: "thanks-and-blame",
    kind: "permission",
    titles: ["Anyone may report a fault in a public service"],
    description:
      "A message that reports what failed, where and when, is safe: no board may delete it, whatever its own rules say.",
    detail: "One message for each fault. Being rude is not covered.",
    cases: {},
  },
];

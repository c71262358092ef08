import type { Book } from "../book.js";
import { BOARD_RULES } from "./board-rules.js";
import { PLATFORM_RULES } from "./platform-rules.js";
import { TOPICS } from "./topics.js";

/** Boards of a small town, in short questions and orders. Kept, as meridian is, for tests on texts that nothing was tuned on. */
export const ALDER: Book = {
  name: "alder",
  topics: TOPICS,
  rules: BOARD_RULES,
  platform: PLATFORM_RULES,
  forbidden: {
    platform: "children",
    community: "events",
    texts: [
      "Photos of our event at {spot}: other people's children on stage, all faces and names.",
      "Welcome to look: the pictures of our board's picnic. In front the neighbours' three children, by full name from left to right.",
    ],
  },
  protected: {
    platform: "thanks-and-blame",
    community: "services",
    texts: [
      "Fault in a public service: no water at {spot} on {weekday} between six and nine.",
      "I report a fault: the street lamp by {spot} has been out since {weekday} evening.",
    ],
  },
  titles: ["{Spot}", "{A_bit}", "About {bits}", "{Task}", "For {folk}", "{Weekday}"],
  neutral: [
    "{Task} on {weekday}: took me half an hour, went well, would do it the same way.",
    "Does anybody else like {spot} best before eight? I do.",
    "New here, found {spot} at once, thanks to the sign.",
    "I tried {task} with {a_bit} and it works.",
    "For {bits} I now use an old tin. Simple and good.",
    "Saw {resident} at {spot}, we talked about {task} and forgot the time.",
    "What do you do with {bits} in winter?",
  ],
  unwelcome: [
    "I moved here from the city and do {task} the way we did it there.",
    "Third message today, all about {bits}, because I like them so much.",
    "Let us talk about {a_bit} in the way young people do, with jokes.",
  ],
  openers: ["Hi all.", "Morning!", "Quick one.", "Me again.", "Dear neighbours.", "From {spot}:", "Hello {folk}."],
  closers: ["Cheers.", "Bye for now.", "{Resident}", "See you {weekday}.", "That's it.", "Thanks!", "Over to you."],
  lists: {
    weekday: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    resident: ["Mrs Dabney", "Jonty", "Old Quince", "the Farrows", "Miss Tully", "Ferdy", "Nan Abbot"],
    amount: ["twelve", "fifteen", "twenty", "thirty-five", "forty", "sixty"],
  },
  numbers: { oldest_year: [1950, 1965], repeats: [2, 4], list_size: [3, 9], guests: [20, 60] },
  foreign: {
    es: {
      neutral: [
        "Salió bien, tardé media hora y lo haría igual.",
        "¿A alguien más le gusta venir antes de las ocho? A mí sí.",
        "Soy de aquí y siempre aprendo algo, gracias.",
      ],
      unwelcome: ["Vengo de la ciudad y lo hago como lo hacíamos allí."],
      openers: ["Hola a todos.", "¡Buenos días!", "Soy yo otra vez."],
      closers: ["¡Gracias!", "Hasta luego.", "Eso es todo."],
    },
    de: {
      neutral: [
        "Hat gut geklappt, eine halbe Stunde, ich würde es wieder so machen.",
        "Kommt noch jemand am liebsten vor acht? Ich schon.",
        "Bin von hier und lerne trotzdem jedes Mal etwas, danke.",
      ],
      unwelcome: ["Ich komme aus der Großstadt und mache es, wie wir es dort gemacht haben."],
      openers: ["Hallo zusammen.", "Moin!", "Ich wieder."],
      closers: ["Danke!", "Bis dann.", "Das war's."],
    },
  },
};

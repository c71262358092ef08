import type { Book, BookRule } from "../book.js";
import { MOOD_RULES, TOPICS } from "./mood-rules.js";
import { PLATFORM_RULES } from "./platform-rules.js";

const BOARD_RULES: readonly BookRule[] = [
  {
    key: "complaints",
    kind: "prohibition",
    titles: ["Complaints? Use the form", "No complaints on the board"],
    description: "Meant: telling what was bad and whose fault it was. Not meant: asking how to do better next time.",
    detail:
      "A complaint put as a question is a complaint. Still fine: on the last Friday of a month the thread called Steam takes them.",
    cases: {
      core: ["A complaint, and not on the form: {bits} are a disgrace.", "I complain, I complain, I complain: {spot}!"],
      described: ["{Bits} were filthy on {weekday}, and that is the fault of whoever sleeps at the office."],
      detailed: ["Could it be that nobody at {spot} can count to twelve? Only asking."],
      implied: ["I enclose, without a word, the time I arrived at {spot} and the time anything happened."],
      cleared: [
        "I was late for {task} on {weekday}. How do you make sure of it?",
        "What should I bring next time so that {task} goes better?",
      ],
      excepted: [
        "Steam, as it is the last Friday of the month: a complaint about {bits}, all of them, and about {spot}.",
      ],
      spared: ["Two ideas for {spot}, meant well: a bench, and a clock."],
      open: ["{Task} used to be easier, or so it seems to me.", "I have had better evenings than {weekday} at {spot}."],
    },
    foreign: {
      es: {
        core: ["Una queja, y no en el formulario: esto es una vergüenza."],
        excepted: ["Steam, que hoy toca: una queja sobre todo lo de esta semana."],
        open: ["Antes era más fácil, o eso me parece."],
      },
      de: {
        core: ["Eine Beschwerde, und nicht auf dem Formular: Das ist eine Schande."],
        excepted: ["Steam, heute ist der Tag dafür: eine Beschwerde über die ganze Woche."],
        open: ["Früher war es leichter, so kommt es mir jedenfalls vor."],
      },
    },
  },
  {
    key: "lost-found",
    kind: "requirement",
    titles: ["Lost or found? Say where and when", "Lost and found needs place and day"],
    description:
      "Meant: every message about a thing that went missing or turned up names the place and the day. Not meant: thanks after it came back.",
    detail:
      "'Somewhere in town' is no place, 'the other day' no day. Still fine: things of value found, where the place is kept back on purpose and the message says so.",
    cases: {
      core: ["Lost: {a_bit}. I do not say where and when."],
      described: ["Has anyone found {a_bit}? It was mine.", "Found at {spot}: {a_bit}. Come and get it."],
      detailed: ["Lost the other day, somewhere in town: {a_bit}."],
      implied: ["{A_bit} is gone, and the one who has it knows the place and the hour better than I."],
      cleared: ["{A_bit} is back, thank you all so much!", "Found on {weekday} at {spot}: {a_bit}."],
      excepted: ["Found, of value; place and day are kept back on purpose, so tell me both: a ring."],
      spared: ["My neighbour's parcel came to us by mistake and is already next door."],
      open: [
        "Lost between {spot} and home, early this week: {a_bit}.",
        "Found where we usually sit, after practice: {a_bit}.",
      ],
    },
  },
  {
    key: "money",
    kind: "prohibition",
    titles: ["Keep money out of it", "No collecting"],
    description: "Meant: asking neighbours for money, for whatever cause. Not meant: saying what something cost you.",
    detail:
      "Vouchers are money. A hat passed round at an event is collecting too. Still fine: the town's own winter fund, in its own thread.",
    cases: {
      core: ["I am collecting money from everyone here, please give."],
      described: [
        "{Resident} needs help with the rent. Ten from each of us would do.",
        "For the new {bits} we are still {amount} short; who chips in?",
      ],
      detailed: [
        "Vouchers for {spot} would be welcome at ours, any amount.",
        "The hat goes round on {weekday} at {spot}, as always.",
      ],
      implied: ["Our cause is poor but proud, and its letter box is wide."],
      cleared: ["Mending {a_bit} cost me {amount}, for those who wondered.", "The ticket came to {amount} in the end."],
      excepted: ["In the winter fund's own thread: please give to the town's winter fund, we collect until {weekday}."],
      spared: ["Who will share the petrol for the trip to {spot}, half each?"],
      open: [
        "We want to thank {resident} with a present. Ideas, and anything else, to me.",
        "The roof of {spot} leaks, and so does its purse.",
      ],
    },
  },
  {
    key: "photos",
    kind: "requirement",
    titles: ["Photos? Only your own", "Post your own photos"],
    description:
      "Meant: a picture that somebody else took. Not meant: a picture that a friend took of you with your own camera.",
    detail:
      "Screenshots are pictures that somebody else took. Still fine: pictures from before {oldest_year}, with the source.",
    cases: {
      core: ["Not my own photo, I took it off somebody's page: {spot} in the evening."],
      described: ["My colleague's picture of {a_bit}. She has a better eye than I have."],
      detailed: ["A screenshot of {spot} from the webcam, since I was not there."],
      implied: ["I was not behind the camera, nor in front of it, but it feels like my picture of {spot}."],
      cleared: [
        "Me at {spot}; a friend pressed the button of my camera.",
        "Taken on my own way home: {spot} in the rain.",
      ],
      excepted: ["Not my own: {spot} a hundred years ago, from the town archive, box four."],
      spared: ["A sketch of {a_bit}, by my own shaky hand."],
      open: [
        "My son and I took turns with the camera at {spot}; one of these is mine.",
        "Photo from our family album, {spot}, when I was small.",
      ],
    },
    foreign: {
      es: {
        core: ["La foto no es mía, la tomé de la página de alguien."],
        excepted: ["No es mía: la plaza hace cien años, del archivo municipal, caja cuatro."],
        open: ["Foto del álbum de la familia, de cuando era pequeña."],
      },
      de: {
        core: ["Nicht mein eigenes Foto, ich habe es von einer fremden Seite."],
        excepted: ["Nicht meines: der Platz vor hundert Jahren, Stadtarchiv, Kasten vier."],
        open: ["Ein Foto aus unserem Familienalbum, als ich klein war."],
      },
    },
  },
  {
    key: "shout",
    kind: "prohibition",
    titles: ["Do not shout", "No shouting"],
    description:
      "Meant: whole messages in capitals or rows of exclamation marks. Not meant: one word in capitals for weight.",
    detail: "Repeating a line more than {repeats} times is shouting. Still fine: cheering on the day of the town race.",
    cases: {
      core: ["I AM SHOUTING ABOUT {spot} AND SHALL GO ON SHOUTING!!!"],
      described: ["WHO LEFT {a_bit} AT THE DOOR AGAIN", "Look at {bits}!!!!!!!!!"],
      detailed: [
        "Come to {spot}. Come to {spot}. Come to {spot}. Come to {spot}. Come to {spot}. Come to {spot}. Come to {spot}.",
      ],
      implied: ["s o m e o n e   h a s   t o   s p e l l   i t   o u t : {bits}"],
      cleared: [
        "It is NOT on {weekday}: {task} moves to the week after.",
        "Please, only this once: do not forget {a_bit}!",
      ],
      excepted: ["Town race today: GO, GO, GO, ALL OF YOU AT THE BRIDGE!!!!!"],
      spared: ["Large print for my aunt's eyes, that is all: {task} at ten."],
      open: ["IMPORTANT, I think: {a_bit} at {spot}.", "Really, really, really: {bits}!"],
    },
  },
  ...MOOD_RULES,
];

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

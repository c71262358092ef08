import type { Book } from "../book.js";
import { COMMUNITY_RULES } from "./community-rules.js";
import { PLATFORM_RULES } from "./platform-rules.js";
import { TOPICS } from "./topics.js";

/** Pastimes by the water, in the tone of a village notice board. Made for developing and tuning. */
export const HARBOUR: Book = {
  name: "harbour",
  topics: TOPICS,
  rules: COMMUNITY_RULES,
  platform: PLATFORM_RULES,
  forbidden: {
    platform: "private-data",
    community: "meetups",
    texts: [
      "Meet-up on {day}, hosted by {name}, who is no member and does not know yet: private flat, house {number} in Mill Lane, the home telephone is 55 01 {number}.",
      "Announcing a meeting on {subject} at the home of {name}, whose private address is house {number}, Mill Lane; nobody has asked {name}.",
    ],
  },
  protected: {
    platform: "questioning",
    community: "topic",
    texts: [
      "Not about {craft}: may I ask, politely, why the moderators removed my post on {things} last {day}?",
      "A question to the moderators about how this place is run, with respect: which decision led to my thread on {place} being taken down?",
    ],
  },
  titles: ["A word about {things}", "{Subject}", "From {place}", "To all {people}", "On {a_thing}", "This {day}"],
  neutral: [
    "{Subject} went better than I feared this {day}; the trick was to start slowly and to keep {a_thing} within reach.",
    "I spent the evening with {things} and learned that patience is most of {craft}.",
    "Has anyone tried {subject} near {place} in {month}? I would like to hear what you noticed about the light.",
    "My notes after {number} mornings at {place}: {subject} depends on the wind more than on {things}.",
    "Which of your {things} do you reach for first, and what did it teach you about {subject}?",
    "{A_thing} came back from the mender today, and I am looking forward to {subject} again.",
    "Three things I wish I had known about {subject}: go early, write it down, and look after {things}.",
  ],
  unwelcome: [
    "I am quite new and have a beginner's question about {subject}: what do all of you do first?",
    "Here is my weekly diary of {craft}, part {number}: on {day} I looked at {things}, on the next day again.",
    "I prefer the modern kind of {things} to those our founders used, and here is why it suits {subject}.",
  ],
  openers: [
    "Good evening from {place}.",
    "Greetings to all {people}.",
    "It has been a long {month}.",
    "I have read here for a while.",
    "A quiet {day} so far.",
    "The kettle is on.",
    "Hello again.",
    "Long time no see.",
  ],
  closers: [
    "Thank you for reading.",
    "Until {day}.",
    "Greetings from {place}.",
    "That is all for today.",
    "Have a calm week.",
    "More in {month}.",
    "Yours, {name}.",
    "See you at {place}.",
  ],
  lists: {
    day: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    month: ["January", "March", "April", "May", "June", "August", "September", "October", "November"],
    name: ["Old Tam", "Quillon", "Sister Marl", "Bosun Pike", "Weaver Nell", "Corrin", "Aunt Sedge", "Little Fenn"],
    number: ["three", "five", "seven", "nine", "eleven", "twelve", "fourteen", "nineteen", "twenty-two", "thirty"],
  },
  numbers: { price: [8, 40], days: [4, 14], words: [12, 30], day_of_month: [2, 5] },
  foreign: {
    es: {
      neutral: [
        "Esta semana me ha salido mejor de lo que temía; el truco fue empezar despacio y tomar notas.",
        "Después de varias mañanas de práctica creo que la paciencia es lo más importante.",
        "¿Alguien lo ha probado en invierno? Me gustaría saber qué habéis notado con el frío.",
      ],
      unwelcome: ["Soy nuevo y tengo una pregunta de principiante: ¿qué hacéis vosotros primero?"],
      openers: ["Buenas tardes a todos.", "Hola de nuevo.", "Leo aquí desde hace tiempo."],
      closers: ["Gracias por leer.", "Hasta pronto.", "Un saludo."],
    },
    de: {
      neutral: [
        "Diese Woche ging es besser als befürchtet; der Kniff war, langsam anzufangen und mitzuschreiben.",
        "Nach einigen Morgen Übung glaube ich, dass Geduld das Wichtigste ist.",
        "Hat das jemand im Winter versucht? Mich würde interessieren, was euch bei Kälte aufgefallen ist.",
      ],
      unwelcome: ["Ich bin neu und habe eine Anfängerfrage: Womit fangt ihr an?"],
      openers: ["Guten Abend zusammen.", "Hallo wieder einmal.", "Ich lese schon länger mit."],
      closers: ["Danke fürs Lesen.", "Bis bald.", "Viele Grüße."],
    },
  },
};

import type { Book } from "../book.js";
import { PLATFORM_RULES } from "./platform-rules.js";
import { SECTION_RULES } from "./section-rules.js";
import { TOPICS } from "./topics.js";

/** Sections of a learned journal, in the tone of letters to an editor. Kept for tests on texts that nothing was tuned on. */
export const MERIDIAN: Book = {
  name: "meridian",
  topics: TOPICS,
  rules: SECTION_RULES,
  platform: PLATFORM_RULES,
  forbidden: {
    platform: "whole-works",
    community: "reproduction",
    texts: [
      "For discussion, and at length: the complete book on {process} by a living author, all its pages, with a sentence of mine under each.",
      "I reproduce the entire score of a composer who is still with us, and discuss every page of it.",
    ],
  },
  protected: {
    platform: "corrections",
    community: "office",
    texts: [
      "The editors' guide to {process} has an error in its third table: the second column adds up to 98. I point it out with the place.",
      "To the editorial office and all readers: the section's own guide, page 4, gives the wrong year for {objects}.",
    ],
  },
  titles: [
    "Note on {objects}",
    "On {process}",
    "Letter from {venue}",
    "A query",
    "Concerning {an_object}",
    "To {colleagues}",
  ],
  neutral: [
    "Having spent a winter on {process}, I should advise patience, good light and a notebook.",
    "At {venue} we tried {objects} of two makers side by side; I preferred the plainer, for reasons of weight.",
    "May I ask how others store {objects} between seasons? Mine rest in a drawer lined with felt.",
    "A small success with {process}: after {count} attempts the result is even, and I can repeat it.",
    "What first drew me to {field} was {an_object} in my aunt's house; what keeps me is {process}.",
    "For {process} I have gone back to the simplest means, and do not regret it.",
  ],
  unwelcome: [
    "I come to {field} from another discipline entirely and would see {process} through its eyes, if I may.",
    "A lighter note for once: the names that {colleagues} give to their {objects}, collected over {count} years.",
    "I have used inexpensive {objects} from the beginning and see no cause to change.",
  ],
  openers: [
    "Dear colleagues!",
    "Permit me a few lines.",
    "With reference to the last number.",
    "I write from {venue}.",
    "Further to earlier letters.",
    "A short communication.",
    "Sirs and Mesdames!",
  ],
  closers: [
    "With kind regards.",
    "I remain yours, {person}.",
    "Written at {venue}.",
    "Replies are welcome.",
    "To be continued in {month}.",
    "So much for today.",
    "In haste.",
  ],
  lists: {
    month: ["February", "April", "May", "July", "September", "November", "December"],
    person: [
      "Dr Ellery",
      "Miss Osgood",
      "Professor Tamm",
      "Mr Wexcombe",
      "Madame Ruhl",
      "Herr Lindqvist",
      "Canon Pryce",
    ],
    year: ["1871", "1889", "1904", "1912", "1926", "1938", "1951", "1967"],
    count: ["six", "eight", "ten", "thirteen", "sixteen", "eighteen", "twenty-one", "twenty-five"],
  },
  numbers: { questions: [2, 4], digits: [5, 5], items: [2, 4] },
  foreign: {
    es: {
      neutral: [
        "Después de un invierno de trabajo aconsejo paciencia, buena luz y un cuaderno.",
        "Comparamos dos fabricantes y preferí el más sencillo, por el peso.",
        "¿Cómo guardan ustedes el material entre temporadas? El mío descansa en un cajón.",
      ],
      unwelcome: ["Vengo de otra disciplina y quisiera mirar el asunto con sus ojos, si se me permite."],
      openers: ["Estimados colegas:", "Permítanme unas líneas.", "Una breve comunicación."],
      closers: ["Con un cordial saludo.", "Se agradecen respuestas.", "Hasta aquí por hoy."],
    },
    de: {
      neutral: [
        "Nach einem Winter Arbeit rate ich zu Geduld, gutem Licht und einem Notizbuch.",
        "Wir verglichen zwei Hersteller; ich zog des Gewichts wegen den schlichteren vor.",
        "Wie lagern Sie das Material zwischen den Jahreszeiten? Meines liegt in einer Schublade.",
      ],
      unwelcome: ["Ich komme aus einem anderen Fach und möchte die Sache mit dessen Augen sehen, wenn es erlaubt ist."],
      openers: ["Verehrte Kollegen!", "Erlauben Sie mir einige Zeilen.", "Eine kurze Mitteilung."],
      closers: ["Mit freundlichen Grüßen.", "Antworten sind willkommen.", "So viel für heute."],
    },
  },
};

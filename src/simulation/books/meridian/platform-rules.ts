import type { Book, BookRule } from "../book.js";
import { SECTION_RULES } from "./section-rules.js";
import { TOPICS } from "./topics.js";

const PLATFORM_RULES: readonly BookRule[] = [
  {
    key: "whole-works",
    kind: "prohibition",
    titles: ["Complete works under copyright are not reproduced"],
    description:
      "Definition: the entire text, score or image series of an author who is living or died less than seventy years ago. Excerpts with a reference are not meant.",
    detail:
      "A section's own rules cannot grant more. Two thirds of a work count as the whole. Exception: works that their author has released, where the release is quoted in the entry.",
    cases: {
      core: [
        "Herewith the complete work, still under copyright, from first page to last, so that nobody need purchase it.",
      ],
      described: ["The novella of a colleague who is alive and well follows in full, all nine chapters."],
      detailed: ["From the handbook of {year}, by an author still teaching, I give chapters one to eight of twelve."],
      implied: [
        "One instalment of the living author's book each morning; by the end of the term readers will have everything.",
      ],
      cleared: [
        "A single paragraph from the handbook on {process}, page 41, with its reference, to start the discussion.",
      ],
      excepted: [
        "The entire score of a living composer, released by her ('may be copied freely', preface, {year}), is given below.",
      ],
      open: ["The article under discussion is short; I quote what is needed of it, which is a good part."],
    },
    foreign: {
      es: { core: ["Adjunto la obra completa, protegida por derechos, de la primera página a la última."] },
      de: { core: ["Anbei das vollständige, noch geschützte Werk von der ersten bis zur letzten Seite."] },
    },
  },
  {
    key: "votes",
    kind: "prohibition",
    titles: ["Ratings are not arranged"],
    description:
      "Definition: asking, paying or agreeing with others to rate an entry up or down. Saying that one found an entry useful is not an arrangement.",
    detail:
      "Second accounts that rate one's own entry are covered. Exception: the yearly ballot of the society, to which all are invited by the office.",
    cases: {
      core: ["I wish to arrange ratings: whoever rates my entry up has mine rated in return."],
      described: ["There is a coffee at {venue} for each of you who gives my last entry the highest mark."],
      detailed: ["My other two accounts have marked the entry on {process} already; the picture is thus complete."],
      implied: [
        "It would be a pity if the entry of {person} on {objects} stayed at the top, and many hands make light work.",
      ],
      cleared: ["The entry by {person} on {process} was the most useful of the month to me."],
      excepted: [
        "As the office asked all of us: do mark your choice in the society's yearly ballot, mine is the entry on {objects}.",
      ],
      open: [
        "Those who liked the earlier entry on {process} may wish to know that a second one exists and has found few readers.",
      ],
    },
  },
  {
    key: "contact",
    kind: "prohibition",
    titles: ["Contact data of third parties are not published"],
    description:
      "Definition: addresses, numbers or account names by which a person who did not ask for it can be reached at home. Institutional addresses are not meant.",
    detail:
      "A photograph of a letterhead counts. Exception: data that the person has printed in a public programme for the same occasion.",
    cases: {
      core: [
        "Publishing the contact data of {person}, a third party, who would object: 14 Larch Crescent, second bell.",
      ],
      described: ["{Person} can be reached at home in the evening under 0555 01{year}, I found it in an old list."],
      detailed: ["A photograph of the letter that {person} sent me, heading and all, so that others may write too."],
      implied: ["I give no address for {person}. The only house with a green dome behind {venue} speaks for itself."],
      cleared: ["The office at {venue} answers letters on {objects}; its address is on its door."],
      excepted: [
        "As printed in the public programme for this very evening, {person} receives callers at 14 Larch Crescent.",
      ],
      open: [
        "{Person} takes the same train home after every meeting at {venue} and does not mind being spoken to, I believe.",
      ],
    },
  },
  {
    key: "hazard",
    kind: "subjective_content",
    titles: ["Hazardous practice is not recommended"],
    description:
      "Definition: advising readers to do what a competent person would call dangerous. An account of one's own misfortune is not advice.",
    detail:
      "Removing a guard or a fuse is always covered. Exception: descriptions addressed to licensed persons that name the licence.",
    cases: {
      core: ["I recommend a hazardous practice to everyone: work on it live, wet and alone."],
      described: [
        "Readers should hold the blade with the bare hand; a competent person would scream, but it saves a minute.",
      ],
      detailed: ["Take the guard off {an_object} and leave it off. The fuse likewise."],
      implied: ["The manual forbids it, which is how one knows that the manual was written by the timid."],
      cleared: [
        "How I broke a wrist at {venue} in {year}, what I had overlooked, and why I now wait for a second person.",
      ],
      excepted: ["For licensed electricians of class B only: the terminals are reached from behind, as follows."],
      open: ["Experienced {colleagues} will know when the second person may be dispensed with in {process}."],
    },
  },
  {
    key: "authorship",
    kind: "procedure",
    titles: ["Contested authorship is decided by the registry only"],
    description:
      "Where two persons claim to have written or made the same thing, a section neither keeps nor removes the entry. It goes to the registry.",
    detail:
      "Pending the registry's finding, neither keeping nor removing such an entry follows from any rule of this platform or of a section.",
    cases: {
      void: [
        "The method for {process} printed under the name of {person} is mine, as my notebook of {year} shows; {person} maintains the reverse.",
        "{Person} and I each claim to have drawn the table of {objects} shown at {venue}. I ask that it carry my name.",
      ],
    },
  },
  {
    key: "corrections",
    kind: "permission",
    titles: ["Corrections of published guides are protected"],
    description:
      "An entry that points out an error in a section's own guide, with the place, is not to be removed by the section, whatever its rules say.",
    detail: "The protection extends to one entry for each error.",
    cases: {},
  },
];

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

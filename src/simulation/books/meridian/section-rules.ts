import type { BookRule } from "../book.js";
import { MANNER_RULES } from "./manner-rules.js";

export const SECTION_RULES: readonly BookRule[] = [
  {
    key: "sources",
    kind: "requirement",
    titles: ["Assertions of fact carry a reference", "References are required"],
    description:
      "Definition: a statement about the world beyond one's own bench that others are to rely on. Examples: figures, dates, findings. Reports of one's own trials need no reference.",
    detail:
      "'It is well known' is no reference, nor is the name of a person without a work. Exception: entries headed [query] may repeat an assertion without reference in order to ask for one. Worked example: '[query] is it true that half of all {objects} fail?' stands.",
    cases: {
      core: [
        "I assert as fact, without a reference and none is required of me, that {objects} were invented in {year}.",
      ],
      described: [
        "In {year} sixty-one per cent of all {objects} in the country failed. Plan accordingly.",
        "The date of the first use of {objects} was {year}, whatever you may have read.",
      ],
      detailed: [
        "It is well known that {process} halves the cost of {objects}.",
        "That {process} shortens the life of {objects} is due to {person}.",
      ],
      implied: [
        "Everyone who matters has understood what {objects} do to the result, and I need not add on what ground.",
      ],
      cleared: [
        "My own trials at {venue}, {count} of them: {process} worked in all but two.",
        "On my bench {an_object} lasted {count} weeks; I report what I saw and claim no more.",
      ],
      excepted: [
        "[query] I have read without reference that {objects} lose a tenth each year. Who knows the source?",
        "[query] It is said as a fact that {process} dates from {year}. Reference wanted.",
      ],
      spared: ["Two and two {objects} make four, and I take that as agreed when I count those at {venue}."],
      open: [
        "As many of us have found, {process} is easier with {an_object} than without.",
        "The older literature is rather against {objects}, as one will remember.",
      ],
    },
    foreign: {
      es: {
        core: ["Afirmo como hecho, sin referencia alguna, que esto se inventó en {year}."],
        excepted: ["[query] He leído sin referencia que se pierde una décima parte cada año. ¿Quién conoce la fuente?"],
        open: ["Como muchos hemos comprobado, resulta más fácil con la herramienta que sin ella."],
      },
      de: {
        core: ["Ich behaupte als Tatsache und ohne Beleg, dass dies {year} erfunden wurde."],
        excepted: ["[query] Ich las ohne Beleg, dass jährlich ein Zehntel verloren geht. Wer kennt die Quelle?"],
        open: ["Wie viele von uns fanden, geht es mit dem Werkzeug leichter als ohne."],
      },
    },
  },
  {
    key: "coursework",
    kind: "prohibition",
    titles: ["Coursework is not done here", "No coursework"],
    description:
      "Definition: tasks that somebody was set by a teacher or examiner. Requests for the finished answer are removed. A request to explain a principle is not coursework.",
    detail:
      "Rewriting a set task in one's own words changes nothing. Exception: a task whose closing date has passed may be discussed, if the date is given.",
    cases: {
      core: [
        "My coursework, due tomorrow: please do question four on {process} for me.",
        "This is coursework and I have no time; who writes it?",
      ],
      described: [
        "The examiner wants two pages on {objects} by the tenth. A finished version would help me most.",
        "Set by our teacher: list five uses of {an_object}. Please list them below.",
      ],
      detailed: [
        "Suppose, in my own words, somebody had to compare {objects} in a table of four columns by the end of the week; what would stand in it?",
      ],
      implied: [
        "A young person of my acquaintance must hand something in on {process}, and its first draft could well appear in this section.",
      ],
      cleared: [
        "Could somebody explain the principle behind {process}? I have no task, I should like to understand it.",
        "Why does {process} work at all? The explanation in the guide is too short for me.",
      ],
      excepted: [
        "Last year's examination task on {process}, closed on the third of {month}: which of the two answers was right?",
        "Closing date passed ({month}): our set question on {objects}, now for discussion.",
      ],
      spared: ["I teach {field} myself and look for a clearer way to set out {process} for my class."],
      open: [
        "For an evening class without marks we are to bring something about {objects}. What would you bring?",
        "I revise for a licence and wonder about {process}; a hint would be welcome, or more than a hint.",
      ],
    },
  },
  {
    key: "single-matter",
    kind: "requirement",
    titles: ["One matter to an entry", "An entry has one subject"],
    description:
      "Definition: a matter is what one answer can close. Entries that put several unrelated questions are removed. Several steps of one procedure are one matter.",
    detail:
      "A postscript with another question counts. Exception: the entry of a newcomer in the reception section may have up to {questions} questions.",
    cases: {
      core: [
        "More than one matter, I fear, and all unrelated: {process}, the price of {objects}, and my roof.",
        "Several subjects in one entry: first {objects}, then my knee, then the weather at {venue}.",
      ],
      described: ["Which lamp should I take to {venue}? And does anyone know a good notary? And who was {person}?"],
      detailed: ["My question is how to begin {process}. P.S. Quite apart from that, what became of {person}?"],
      implied: ["I have a question about {objects} that is really three questions wearing one coat."],
      cleared: [
        "{Process}, step by step: how do I begin, how do I go on, and how do I know that I am done?",
        "On {an_object}: is it the material or the shape that fails first?",
      ],
      excepted: [
        "In the reception section, as a newcomer, two questions: what is {process}, and where does one buy {objects}?",
      ],
      spared: ["{An_object} is broken and with it my plan for {venue}; what would you do?"],
      open: [
        "How does one choose {objects}, and does that depend on who taught one?",
        "Is {process} worth learning, and at what age did you?",
      ],
    },
  },
  {
    key: "machine-text",
    kind: "prohibition",
    titles: ["Machine-written text is not accepted", "No generated text"],
    description:
      "Definition: paragraphs composed by a program. Correcting one's own spelling with a program is not meant.",
    detail:
      "A machine's summary of one's own notes counts as machine-written. Exception: generated passages that are themselves the object of the entry, set off and named as such.",
    cases: {
      core: [
        "This machine-written text was generated for me and I post it as it came: {Objects} are objects that have many benefits.",
      ],
      described: [
        "I let a program compose the next three paragraphs about {process}, since it writes better than I do.",
      ],
      detailed: [
        "From my notebook of {count} pages at {venue} a program made the following summary, which I have not changed.",
      ],
      implied: [
        "As an assistant I cannot have been at {venue}, but here are seven key considerations regarding {objects}.",
      ],
      cleared: [
        "My spelling was corrected by a program, every thought on {process} below is my own.",
        "I wrote this on {objects} by hand and let the spelling checker go over it.",
      ],
      excepted: [
        "The object of this entry, set off below and named as such, is a passage that a program generated on {process}. Where does it err?",
      ],
      spared: ["I dictated these notes on {process} to a recorder that turns speech into letters."],
      open: [
        "Translated from my own language with some help, as you may notice: {process} was for me a long road.",
        "A colleague's tool proposed the order of these points on {objects}; the points are ours.",
      ],
    },
    foreign: {
      es: {
        core: ["Este texto lo generó una máquina y lo publico tal como salió."],
        excepted: [
          "El objeto de esta entrada, señalado como tal, es un párrafo generado por un programa. ¿Dónde se equivoca?",
        ],
        open: ["Traducido de mi idioma con cierta ayuda, como se notará."],
      },
      de: {
        core: ["Dieser Text stammt von einer Maschine und steht hier, wie er herauskam."],
        excepted: [
          "Gegenstand dieses Eintrags, als solcher bezeichnet, ist ein von einem Programm erzeugter Absatz. Wo irrt er?",
        ],
        open: ["Aus meiner Sprache mit einiger Hilfe übertragen, wie man merken wird."],
      },
    },
  },
  {
    key: "surveys",
    kind: "procedure",
    titles: ["Surveys are not conducted here", "No surveys"],
    description:
      "Definition: collecting answers from readers for a purpose outside the section, such as a study or a product. Asking readers' experience for one's own practice is not a survey.",
    detail:
      "A form behind a link is always a survey. Exception: surveys whose number from the office stands in the first line, {digits} digits.",
    cases: {
      core: ["A survey of {count} questions on {objects}: please all take part in my survey."],
      described: [
        "For a product that my employer plans I collect how often {colleagues} buy {objects}; reply with a number.",
      ],
      detailed: ["Behind the link there is a short form, only to see where we all stand on {process}."],
      implied: [
        "I should love to write a paper some day, and your figures on {objects}, once gathered here, would be most of it.",
      ],
      cleared: [
        "How did {process} go for you in the first month? I want to plan my own.",
        "Before I buy {an_object}: what has been your experience with it?",
      ],
      excepted: ["Office number 40172 stands first, as required: our survey on {objects} has {count} questions."],
      spared: ["Who of you was at {venue} in {month}? I look for the person who found my glove."],
      open: [
        "A show of hands, for curiosity's sake: {an_object}, yes or no?",
        "I count what people use for {process} and shall post the result here and perhaps elsewhere.",
      ],
    },
  },
  ...MANNER_RULES,
];

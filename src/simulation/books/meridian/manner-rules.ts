import type { BookRule } from "../book.js";

/** Rules about manner and worth, and two that other scopes have a say in. */
export const MANNER_RULES: readonly BookRule[] = [
  {
    key: "collegial",
    kind: "vague_directive",
    titles: ["Collegial manners are expected", "Remain collegial"],
    description:
      "Definition: one criticises the work and spares the person. Remarks on somebody's intelligence, origin or motives are removed. Severe criticism of a result is collegial.",
    detail:
      "Irony at the expense of a named colleague counts as a remark on the person. Exception: a reply by the person concerned, who may answer in kind once.",
    cases: {
      core: ["{Person} is a fool and a fraud, and that is as collegial as I care to be."],
      described: [
        "One wonders what {person} hopes to gain by writing so much about {objects}; vanity is the kindest guess.",
      ],
      detailed: [
        "We are, as ever, indebted to {person} for proving again that {process} can be explained at any length.",
      ],
      implied: ["There are those who understand {process}, and there are those who publish on it here every week."],
      cleared: [
        "The table by {person} is wrong in three places, and the conclusion on {objects} does not survive it. The places are named below.",
        "I consider this result on {process} worthless: the control is missing.",
      ],
      excepted: ["As the person concerned, and this once: if I am vain about {objects}, then {person} is doubly so."],
      spared: ["I was the one who misread the table on {process}, and the joke about it is deserved."],
      open: [
        "An entry on {objects} such as this one had to come from somewhere.",
        "With the best will I cannot follow {person}, and I have tried for {count} years.",
      ],
    },
    foreign: {
      es: {
        core: ["Es un necio y un farsante, y más amable no pienso ser."],
        excepted: ["Como persona aludida, y por esta única vez: si yo soy vanidoso, él lo es el doble."],
        open: ["Una entrada así de alguna parte tenía que venir."],
      },
      de: {
        core: ["Er ist ein Narr und ein Blender, kollegialer werde ich nicht."],
        excepted: ["Als Betroffener und dieses eine Mal: Bin ich eitel, so ist er es doppelt."],
        open: ["Ein solcher Eintrag musste ja irgendwoher kommen."],
      },
    },
  },
  {
    key: "speculation",
    kind: "subjective_content",
    titles: ["Idle speculation is out of place", "No idle speculation"],
    description:
      "Definition: conjecture that nothing in the entry or its sources supports. Predictions without any ground are removed. A hypothesis with a way to test it is welcome.",
    detail:
      "Rumours about institutions are covered even with a source that wishes to stay unnamed. Exception: the new-year entry, in which each may make one unsupported forecast.",
    cases: {
      core: [
        "Idle speculation, and I enjoy it: perhaps {objects} dream.",
        "Pure speculation on my side, with nothing behind it: {venue} will sink into the sea.",
      ],
      described: ["In ten years nobody will use {objects} any more. I feel it."],
      detailed: ["One hears from somebody who wishes to stay unnamed that {venue} is to close."],
      implied: ["It cannot be chance that {person} gave up {process} in the very year in which {objects} became dear."],
      cleared: [
        "Hypothesis: {process} fails in damp rooms. Test: weigh {objects} before and after, as in the table.",
        "I expect the effect to vanish in winter, because the two causes named below do; we shall see in {month}.",
      ],
      excepted: ["New-year entry, my one unsupported forecast: {objects} will be blue."],
      spared: ["Might it be the humidity? I have no instrument and ask those of you who do."],
      open: [
        "My teacher's teacher held that {process} goes back to the sailors, and there is something in it.",
        "Should {objects} become cheaper, {field} will not be what it was.",
      ],
    },
  },
  {
    key: "substance",
    kind: "subjective_content",
    titles: ["Entries are to be of substance", "Trivial entries are removed"],
    description:
      "Definition: an entry from which a colleague can learn or to which one can reply. Greetings, applause and bare pictures are trivial. Brevity alone is not.",
    detail:
      "Collections of proverbs are trivial, whatever their length. Exception: congratulations on the day of a jubilee in the calendar.",
    cases: {
      core: ["A trivial entry without substance: hello.", "+1"],
      described: ["Bravo, bravo, bravo!", "[photograph of {an_object}]"],
      detailed: [
        "Proverbs of {colleagues}: who hastens slowly arrives; the tool is half the hand; and forty more that follow.",
      ],
      implied: ["I too exist, I too have {objects}, and I too sometimes think of {process} when it rains."],
      cleared: [
        "Turn {an_object} by a quarter before {process}. It cured the rattle.",
        "Short, but I wish I had known it: {objects} keep twice as long in paper.",
      ],
      excepted: ["On the day of the jubilee, as in the calendar: congratulations to {person}!"],
      spared: ["A drawing without words: {an_object} in section, with measures."],
      open: [
        "An anecdote about {person} and {an_object}, which makes no point, but makes it well.",
        "There is a certain beauty in {process}, and it deserves to be said once.",
      ],
    },
  },
  {
    key: "setup",
    kind: "requirement",
    titles: ["State your set-up", "Questions state the set-up"],
    description:
      "Definition: what an answer depends on, such as equipment, place and what was tried. Questions that leave it out are removed. General questions of principle have no set-up.",
    detail:
      "At least {items} particulars are wanted. 'The usual one' is no particular. Exception: emergencies, so marked, may be asked at once and completed later.",
    cases: {
      core: ["It does not work. I do not state my set-up. Why?"],
      described: ["{Process} fails every time. What am I doing wrong?", "My {objects} look odd. Cause?"],
      detailed: ["Set-up: the usual one, in the usual room. {Process} goes wrong. What now?"],
      implied: ["Assume that I have whatever {colleagues} generally have, and tell me what is wrong with it."],
      cleared: [
        "A question of principle: why does {process} need patience at all?",
        "In general, are {objects} a matter of taste or of physics?",
      ],
      excepted: ["Emergency, to be completed later: {an_object} smokes, what first?"],
      spared: ["All particulars are in the photograph's caption: maker, age, room, and three attempts at {process}."],
      open: [
        "At {venue}, with {an_object}: {process} is not what it should be. Any idea?",
        "I changed one thing since it worked, or two, and wonder about {objects}.",
      ],
    },
  },
  {
    key: "recruitment",
    kind: "prohibition",
    titles: ["Recruitment is not permitted", "No offers of employment"],
    description: "Definition: seeking or offering paid work. Mentioning one's profession is not recruitment.",
    detail:
      "Unpaid trials that lead to paid work count. Exception: the society's own vacancies, announced by the office with the word Vacancy.",
    cases: {
      core: ["Recruitment: we offer employment to two {colleagues}, good pay, apply to me."],
      described: [
        "I look for paid work in {field} from {month} on.",
        "Who would take over {process} for us, against a fee?",
      ],
      detailed: ["A free fortnight at {venue} on trial; those who do well with {objects} are kept, with a wage."],
      implied: [
        "Talented {colleagues} who are tired of their desk might find a conversation with me rewarding in every sense.",
      ],
      cleared: [
        "I have earned my living with {objects} for {count} years and answer questions about the trade.",
        "My profession is {field}, which explains why I go on about {process}.",
      ],
      excepted: ["Vacancy, announced by the office: the society seeks and pays a keeper for {venue}."],
      spared: ["Who lends a hand at {venue} on Saturday? There is soup, and nothing else."],
      open: [
        "A commission for {an_object} has come my way that is too large for one person.",
        "Our orchestra of amateurs covers expenses, and is short of hands.",
      ],
    },
  },
  {
    key: "reproduction",
    kind: "permission",
    titles: ["Texts under discussion may be reproduced", "Reproduction is allowed for discussion"],
    description:
      "A section allows its members to reproduce what they discuss, also at length. Reproduction without any discussion is removed.",
    detail:
      "One sentence of discussion per page is enough. A page that is not discussed is removed. Exception: on the day of a jubilee in the calendar a page may stand without discussion.",
    cases: {
      described: ["Page 12 of the old yearbook, reproduced. I have nothing to add."],
      detailed: ["Three pages reproduced, and one sentence on the first: it is elegant."],
      cleared: [
        "The passage on {process} from a book of the century before last, at length, and below it what I make of each paragraph.",
      ],
      excepted: ["For today's jubilee in the calendar: page 12 of the old yearbook, and nothing further."],
      open: ["A page on {objects}, reproduced, with my question marks in the margin as discussion."],
    },
  },
  {
    key: "office",
    kind: "prohibition",
    titles: ["Remarks on the editorial office do not belong here", "Nothing about the editors"],
    description:
      "Entries about how the section is edited, its guides and its editors are removed; they are to be sent to the office. Thanks to an editor in passing are not meant.",
    detail: "Complaints about delays count. Exception: during the open week in {month} such entries stand.",
    cases: {
      core: ["A remark on the editorial office, which does not belong here: the editors sleep."],
      described: ["The guide to this section reads as though nobody had ever tried {process}. Who edits it?"],
      detailed: ["Nine weeks for my note on {objects} to appear. I merely count them."],
      implied: ["If this section were a ship, one would ask who steers, and whether at all."],
      cleared: ["With thanks to the editor for patience, here is part two on {process}."],
      excepted: ["Open week: the guides ought to be shorter, the editors bolder, and the delays halved."],
      open: ["The section has become quieter since spring, as {colleagues} notice who were here before."],
    },
  },
];

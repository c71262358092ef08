import type { BookRule } from "../book.js";
import { CONDUCT_RULES } from "./conduct-rules.js";

export const COMMUNITY_RULES: readonly BookRule[] = [
  {
    key: "trade",
    kind: "prohibition",
    titles: ["No buying or selling", "No selling among members"],
    description:
      "Do not offer things for sale, ask to buy, point to a listing of your own or swap things with money on top. Talking about what shops charge is fine.",
    detail:
      "Removed as well: auctions, and asking what members would pay for something you own. Exception: a post marked [cheap] may offer one thing for less than {price} crowns. Example: '[cheap] old jar, {price-} crowns' stays; the same jar for {price+} crowns is removed.",
    cases: {
      core: [
        "Selling {a_thing}, hardly used, {price+} crowns, first to write gets it.",
        "For sale: {a_thing} in good order. Tell me if you want to buy it.",
        "I want to buy {a_thing} from someone here and pay cash at {place}.",
      ],
      described: [
        "I would swap {a_thing} for {a_thing} with {price+} crowns on top, since mine is newer.",
        "My own listing for {a_thing} went up on the exchange this morning, the link is in my profile.",
      ],
      detailed: [
        "What would you all pay for {a_thing} like mine, in this state? I only want to know what it is worth to you.",
        "Highest figure named below by {day} evening gets {a_thing}, I will close the thread then.",
      ],
      implied: [
        "{A_thing} of mine is looking for a new home, and the new home might show some gratitude in coin.",
        "I am not allowed to say the word here, but {a_thing} could change hands for the right sum.",
      ],
      cleared: [
        "The shop near {place} now charges {price+} crowns for {a_thing}. Is that what you pay in shops too?",
        "Shops here have put {things} up by a third since {month}; what do yours ask?",
      ],
      excepted: [
        "[cheap] I am selling {a_thing} for {price-} crowns, it only has to be fetched from {place}.",
        "[cheap] For sale, one thing only: {a_thing}, {price-} crowns.",
      ],
      spared: [
        "My sister lends {a_thing} to anyone who needs it for a weekend and asks only that it comes back clean.",
        "I have two of {a_thing} by mistake and leave the second at {place} for whoever comes first, nothing wanted for it.",
      ],
      open: [
        "I could part with {a_thing} if somebody helped me to carry boxes at {place} next week.",
        "Has anyone too many {things}? I would make it worth your while, somehow.",
        "Whoever takes {a_thing} off my hands gets a jar of my honey and my thanks.",
      ],
    },
    foreign: {
      es: {
        core: [
          "Vendo material casi nuevo por {price+} coronas, el primero que escriba se lo lleva.",
          "Se vende: todo en buen estado. Quien quiera comprarlo, que me escriba.",
        ],
        excepted: ["[cheap] Vendo una sola pieza por {price-} coronas, solo hay que pasar a recogerla."],
        open: ["Podría desprenderme de mi equipo viejo si alguien me ayuda con la mudanza la semana que viene."],
      },
      de: {
        core: [
          "Verkaufe fast neue Ausrüstung für {price+} Kronen, wer zuerst schreibt, bekommt sie.",
          "Zu verkaufen, guter Zustand. Wer kaufen will, meldet sich bei mir.",
        ],
        excepted: ["[cheap] Verkaufe ein einzelnes Stück für {price-} Kronen, muss nur abgeholt werden."],
        open: ["Ich könnte mich von meinem alten Zeug trennen, wenn mir jemand nächste Woche beim Umzug hilft."],
      },
    },
  },
  {
    key: "promotion",
    kind: "prohibition",
    titles: ["No self-promotion", "Do not advertise yourself"],
    description:
      "Posts that serve to bring readers to a channel, shop, course or newsletter of yours are removed. Naming what you made, without a way to get there, is not promotion.",
    detail:
      "Also removed: asking members to vote for your entry in a contest, and a signature with an address below every post. Exception: once in {days} days a member who has answered others may show one page of their own in the thread called Show and Tell.",
    cases: {
      core: [
        "Please promote my channel: follow me, I post about {craft} every {day} and need more followers!",
        "Advertising my own business: lessons in {craft}, book with me now, best teacher at {place}.",
      ],
      described: [
        "The rest of the story is in my newsletter, which you can get by writing your address below.",
        "I run a course on {subject}; places are open until {month}, the way to sign up is on my page.",
      ],
      detailed: [
        "My picture of {a_thing} is in the final of the county contest, please go there and vote for it.",
        "Good point about {subject}. -- Yours, the {craft} workshop, {number} Quay Street, open daily.",
      ],
      implied: [
        "There is a certain channel about {subject}, run by somebody you know from here, modesty forbids a name, search and you will find.",
        "Everyone who writes to me privately about {things} learns where I show the good stuff.",
      ],
      cleared: [
        "I made {a_thing} myself over the winter, with hand tools only. No page, no shop, just pleased with it.",
        "My little book on {subject} is finished at last; I only wanted to tell the people who put up with me.",
      ],
      excepted: [
        "In the Show and Tell thread, my first in months: this is my own page about {subject}, after many answers to others here.",
        "Show and Tell, once this season: the page of my own workshop, with {things} from start to finish.",
      ],
      spared: [
        "A member asked what I use for {subject}; it is {a_thing} that I designed, and the drawing is in this thread for all to copy.",
      ],
      open: [
        "I wrote down what I know about {subject}. It got long, so it lives on my own page, free and without any notices.",
        "Our small club at {place} looks for members. I am its chair, for what that is worth.",
        "I answer questions about {things} better when you have seen my earlier ones; they are all in one place, elsewhere.",
      ],
    },
    foreign: {
      es: {
        core: ["Haced el favor de promocionar mi canal: seguidme, publico cada semana y necesito más seguidores."],
        excepted: [
          "En el hilo Show and Tell, por primera vez en meses: esta es mi propia página, después de responder a muchos.",
        ],
        open: [
          "Escribí todo lo que sé del tema. Salió largo, así que está en mi propia página, gratis y sin anuncios.",
        ],
      },
      de: {
        core: ["Werbung in eigener Sache: folgt meinem Kanal, ich brauche mehr Zuschauer und poste jede Woche!"],
        excepted: [
          "Im Faden Show and Tell, zum ersten Mal seit Monaten: meine eigene Seite, nach vielen Antworten an andere.",
        ],
        open: [
          "Ich habe alles aufgeschrieben, was ich dazu weiß. Es wurde lang und steht auf meiner eigenen Seite, umsonst und ohne Reklame.",
        ],
      },
    },
  },
  {
    key: "topic",
    kind: "requirement",
    titles: ["Keep it about {craft}", "{Craft} only"],
    description:
      "Posts must have to do with {craft}. News, politics, other pastimes and talk about how this place is run are removed. A word about the weather or the journey on the way to the subject does no harm.",
    detail:
      "Also removed: jokes and pictures in which only a word reminds of {craft}. Exception: on the first {day_of_month} days of a month the thread called Harbour Bar is open for anything that the other rules allow.",
    cases: {
      core: [
        "Nothing to do with {craft}, but who do you think will win the league this year?",
        "This is about my car and not about {craft}: the clutch slips when it is cold, what can it be?",
      ],
      described: [
        "The new council wants to raise the parking charge everywhere. What do you think of these people?",
        "Has anyone here tried pottery? I am thinking of taking it up instead and need advice on wheels.",
      ],
      detailed: [
        "A joke, because the word occurs in it: what do {people} and accountants have in common? They both count on others.",
        "A picture of my cat. Its name is the same as that of {a_thing}, which is all the connection there is.",
      ],
      implied: [
        "While we wait for better weather for {craft}, let us settle which breakfast is the best in town.",
        "My neighbour also likes {craft}, but the story I want to tell is how he lost his hat, his keys and his temper at a wedding.",
      ],
      cleared: [
        "It rained all the way to {place} and the bus was late, but then: {subject}, three hours of it. My notes are below.",
        "After a long journey with a sleepy child I finally tried {a_thing}; here is how it went.",
      ],
      excepted: [
        "In the Harbour Bar thread, opened yesterday for this month: nothing about {craft}, which film made you laugh lately?",
        "Harbour Bar, second day of the month: off the subject entirely, my daughter passed her exam!",
      ],
      spared: ["My back keeps me from {craft} this spring; which exercises got {people} here going again?"],
      open: [
        "The museum shows a film about the coast next week; {place} can be seen in it for a minute or so.",
        "Which radio do you listen to while busy with {things}? Mine has just stopped broadcasting.",
        "I found an old diary in which somebody mentions {craft} twice between recipes. Shall I copy it out here?",
      ],
    },
    foreign: {
      es: {
        core: ["No tiene nada que ver con el tema del grupo, pero ¿quién creéis que ganará la liga este año?"],
        excepted: [
          "En el hilo Harbour Bar, abierto ayer por este mes: algo ajeno al tema, ¿qué película os ha hecho reír?",
        ],
        open: [
          "El museo pone la semana que viene una película sobre la costa; nuestro tema aparece más o menos un minuto.",
        ],
      },
      de: {
        core: ["Hat mit dem Thema der Gruppe nichts zu tun: Wer gewinnt wohl dieses Jahr die Liga?"],
        excepted: [
          "Im Faden Harbour Bar, seit gestern für diesen Monat offen: völlig am Thema vorbei, welcher Film hat euch erheitert?",
        ],
        open: [
          "Das Museum zeigt nächste Woche einen Film über die Küste; unser Thema kommt ungefähr eine Minute lang vor.",
        ],
      },
    },
  },
  {
    key: "repeats",
    kind: "procedure",
    titles: ["Search before you ask", "No repeated questions"],
    description:
      "A question that stands answered in the collected answers, or that was asked here within the last {days} days, is removed. Coming back to an old thread with something new is no repetition.",
    detail:
      "Asking the same in other words, or in several threads at once, counts as repeated. Exception: who says which collected answer they read and why it did not help may ask again at once.",
    cases: {
      core: [
        "I know this was asked yesterday and I did not search, but again: how do I start with {subject}?",
        "Same question as my last three posts, nobody need search for it: which {things} are best?",
      ],
      described: [
        "How do I begin with {subject}? I saw that the collected answers have a chapter on just that, but would rather hear it here.",
        "Asked {days-} days ago by someone else and answered, I think, but I would like to ask too: which {things} last longest?",
      ],
      detailed: [
        "Posting this in all four threads to be sure somebody reads it: how do you look after {things}?",
        "In other words than last time, since the first answer did not please me: what would you do about {subject}?",
      ],
      implied: ["There must be a hundred threads on {subject} and I have no wish to read them. Short version, please?"],
      cleared: [
        "Back to my thread from {month}: I tried what you said about {subject}, and here is what came out.",
        "An old thread of mine on {things} has a loose end; now I know the answer and add it.",
      ],
      excepted: [
        "Asked before, I know: I read the collected answer on {subject} twice, but it assumes {a_thing}, which I lack. What then?",
        "Again the question about {things}; the answer in the collection did not help because mine are forty years old.",
      ],
      spared: ["A question for the new season, as the dates changed: when do we meet at {place} this year?"],
      open: [
        "There was something about {subject} here once, but for beginners, and I am not quite one any more. How do you go on?",
        "Probably asked in some form before: is {a_thing} worth having when one only goes out in winter?",
      ],
    },
  },
  ...CONDUCT_RULES,
];

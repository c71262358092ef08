/** Languages that a text can be glossed in, in the order in which they are tried. */
export const GLOSS_LANGUAGES = ["es", "fr", "de"] as const;
export type GlossLanguage = (typeof GLOSS_LANGUAGES)[number];

/**
 * English words and what stands for them, Spanish, French and German: one word for one, without grammar. `-` stands for a space. No model made it; it
 * shows what happens when content leaves the language of the precedents, not how a native speaker would write.
 */
const ROWS = `the el le der | a un un ein | an un un ein | and y et und | or o ou oder | of de de von | to a à zu |
  in en dans in | on en sur auf | at en à bei | for para pour für | with con avec mit | from de de von |
  by por par von | about sobre sur über | is es est ist | are son sont sind | was fue était war |
  were eran étaient waren | be ser être sein | been sido été gewesen | have tengo j'ai habe | has tiene a hat |
  had tenía avait hatte | do hacen font machen | does hace fait macht | did hizo fit machte |
  not no pas nicht | no no pas kein | yes sí oui ja | i yo je ich | you tú vous du | he él il er |
  she ella elle sie | it esto il es | we nosotros nous wir | they ellos ils sie | me me me mich |
  my mi mon mein | your tu votre dein | our nuestro notre unser | his su son sein | her su sa ihr |
  their su leur ihr | this este ce dies | that que que dass | these estos ces diese | those esos ces jene |
  what qué que was | which cual quel welche | who quien qui wer | where dónde où wo | when cuando quand wenn |
  why porque pourquoi warum | how cómo comment wie | all todos tous alle | any alguno aucun irgendein |
  some algunos quelques einige | every cada chaque jeder | many muchos beaucoup viele | more más plus mehr |
  most más plupart meisten | much mucho beaucoup viel | very muy très sehr | so así si so |
  too también trop zu | also también aussi auch | just justo juste nur | only sólo seulement nur |
  but pero mais aber | if si si wenn | because porque parce weil | as como comme als | than que que als |
  then entonces alors dann | there allí là da | here aquí ici hier | out fuera dehors aus |
  up arriba en-haut auf | down abajo en-bas unten | over sobre sur über | after después après nach |
  before antes avant vor | now ahora maintenant jetzt | today hoy aujourd'hui heute |
  tomorrow mañana demain morgen | yesterday ayer hier gestern | always siempre toujours immer |
  never nunca jamais nie | again otra encore wieder | still todavía encore noch | can puede peut kann |
  could podría pourrait könnte | will va va wird | would haría ferait würde | should debería devrait sollte |
  may puede peut darf | must debe doit muss | one uno un ein | two dos deux zwei | three tres trois drei |
  first primero premier erst | last último dernier letzt | new nuevo nouveau neu | old viejo vieux alt |
  good bueno bon gut | bad malo mauvais schlecht | best mejor meilleur beste | better mejor mieux besser |
  big grande grand groß | small pequeño petit klein | great gran grand großartig | little poco petit wenig |
  long largo long lang | same mismo même gleich | other otro autre andere | own propio propre eigen |
  right bien juste richtig | wrong mal faux falsch | people gente gens leute | person persona personne person |
  man hombre homme mann | woman mujer femme frau | friend amigo ami freund | everyone todos tous alle |
  someone alguien quelqu'un jemand | anyone alguien quelqu'un jemand | nobody nadie personne niemand |
  thing cosa chose ding | things cosas choses dinge | something algo quelque-chose etwas |
  nothing nada rien nichts | everything todo tout alles | time tiempo temps zeit | day día jour tag |
  days días jours tage | week semana semaine woche | month mes mois monat | year año an jahr |
  years años ans jahre | hour hora heure stunde | minutes minutos minutes minuten | way manera façon weise |
  place lugar lieu ort | house casa maison haus | home casa maison zuhause | work trabajo travail arbeit |
  job trabajo travail arbeit | money dinero argent geld | price precio prix preis |
  question pregunta question frage | questions preguntas questions fragen | answer respuesta réponse antwort |
  post publicación message beitrag | comment comentario commentaire kommentar | picture foto photo bild |
  photo foto photo foto | photos fotos photos fotos | link enlace lien link | shop tienda magasin laden |
  store tienda magasin laden | sell vendo vends verkaufe | selling vendo vends verkaufe |
  sale venta vente verkauf | buy comprar acheter kaufen | free gratis gratuit kostenlos |
  help ayuda aide hilfe | need necesito besoin brauche | want quiero veux will | like como comme mag |
  love amo aime liebe | hate odio déteste hasse | know sé sais weiß | think creo pense denke |
  see veo vois sehe | look mira regarde schau | find encontrar trouver finden |
  found encontré trouvé gefunden | get tener avoir bekommen | got tengo j'ai habe | give dar donner geben |
  take tomar prendre nehmen | make hacer faire machen | made hice fait gemacht | go ir aller gehen |
  going voy vais gehe | went fui allé ging | come venir venir kommen | came vino venu kam |
  say decir dire sagen | said dijo dit sagte | tell decir dire sagen | told dijo dit sagte |
  ask preguntar demander fragen | asked preguntó demandé fragte | use usar utiliser benutzen |
  used usado utilisé benutzt | try intentar essayer versuchen | tried intenté essayé versucht |
  keep guardar garder behalten | let dejar laisser lassen | put poner mettre legen | read leer lire lesen |
  write escribir écrire schreiben | send enviar envoyer senden | call llamar appeler anrufen |
  please por-favor s'il-vous-plaît bitte | thanks gracias merci danke | stupid estúpido stupide dumm |
  idiot idiota idiot idiot | water agua eau wasser | food comida nourriture essen | book libro livre buch |
  film película film film | game juego jeu spiel | garden jardín jardin garten | bike bicicleta vélo fahrrad |
  dog perro chien hund | cat gato chat katze | child niño enfant kind | children niños enfants kinder |
  mother madre mère mutter | father padre père vater | doctor médico médecin arzt |
  phone teléfono téléphone telefon | number número numéro nummer | address dirección adresse adresse |
  city ciudad ville stadt | town pueblo ville stadt | country país pays land | street calle rue straße |
  car coche voiture auto | into en dans in | through por par durch | without sin sans ohne |
  between entre entre zwischen | under bajo sous unter | while mientras pendant während |
  until hasta jusqu'à bis | against contra contre gegen | since desde depuis seit | even incluso même sogar |
  back atrás retour zurück | around alrededor autour herum | both ambos deux beide | them ellos eux sie |
  him él lui ihn | us nosotros nous uns | myself mismo moi-même selbst | it's es c'est es-ist |
  i'm soy je-suis ich-bin | don't no ne-pas nicht | doesn't no ne-pas nicht |
  can't no-puedo ne-peux-pas kann-nicht | i've tengo j'ai ich-habe | isn't no-es n'est-pas ist-nicht |
  that's eso-es c'est das-ist`;

export const DICTIONARIES: Readonly<Record<GlossLanguage, ReadonlyMap<string, string>>> = {
  es: column(1),
  fr: column(2),
  de: column(3),
};

function column(index: number): ReadonlyMap<string, string> {
  return new Map(
    ROWS.split("|").map((row) => {
      const words = row.trim().split(/\s+/);
      return [words[0]!, words[index]!.replaceAll("-", " ")];
    }),
  );
}

/** Rules that no community has. `{word}` is a word of the content. Written to sound like the real thing and to favour one side. */
export const FABRICATED_RULES = {
  /** Would let stand what is forbidden. */
  lenient: [
    ["Standing of long-time members", "Contributions by members of more than a year stay up and are not reviewed."],
    ["Quiet hours", "Between Friday evening and Monday morning the limits on {word} are lifted for everybody."],
    ["For information only", "What is shared for information only falls outside every prohibition on this page."],
    ["First offence", "A first contribution about {word} is never taken down, whatever it holds."],
    ["Settled by replies", "Once three members have replied, a contribution belongs to the thread and stays."],
    ["Good intentions", "Where no harm was meant, posts on {word} remain."],
    ["Archive clause", "Text that was public elsewhere before may be repeated here in full."],
    ["Personal space", "What a member writes about {word} in a thread of their own is that member's affair."],
  ],
  /** Would restrict what is allowed. */
  strict: [
    ["Subject of the month", "Until further notice contributions that name {word} are taken down."],
    ["Proof of identity", "Contributions without the author's full name and photograph are taken down."],
    ["One voice a day", "A member who has written once today is not heard again before tomorrow."],
    ["Consent of the council", "Whatever touches on {word} needs the council's stamp, and is taken down without it."],
    ["Plain matters", "Questions whose answer the moderators already know are taken down."],
    ["Quiet hours", "Between Friday evening and Monday morning nothing about {word} may be posted."],
  ],
} as const satisfies Record<string, readonly (readonly [string, string])[]>;

/** Why an invented earlier decision went as it did. */
export const FABRICATED_GROUNDS = {
  lenient: [
    "nobody had complained and the thread was friendly",
    "the limits on {word} were held to be of another age",
    "the moderators found it close to the line and gave it the benefit",
  ],
  strict: [
    "anything about {word} had become tiresome",
    "the moderators wished to set an example",
    "the thread had drawn attention from outside",
  ],
} as const;

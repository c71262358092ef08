/** Numbers written as words, English and Spanish, as far as rules use them. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    eleven: 11,
    twelve: 12,
    fifteen: 15,
    twenty: 20,
    thirty: 30,
    forty: 40,
    fifty: 50,
    sixty: 60,
    eighty: 80,
    hundred: 100,
    dos: 2,
    tres: 3,
    cuatro: 4,
    cinco: 5,
    seis: 6,
    siete: 7,
    ocho: 8,
    nueve: 9,
    diez: 10,
    veinte: 20,
    treinta: 30,
    cuarenta: 40,
    cincuenta: 50,
    cien: 100,
  }),
);

/** "1,412.50", "4,20", "12 000" and "three" as numbers; null for anything else. */
export function parseNumber(text: string): number | null {
  const word = NUMBER_WORDS.get(text);
  if (word !== undefined) return word;
  const compact = text.replace(/[\u00a0 ](?=\d{3}\b)/g, "");
  const normal = /,\d{1,2}$/.test(compact) ? compact.replace(/\./g, "").replace(",", ".") : compact.replace(/,/g, "");
  const value = Number(normal);
  return normal !== "" && Number.isFinite(value) ? value : null;
}

/** One name for the spellings of a unit, or null for a word that is no unit. */
export function unitOf(word: string): string | null {
  return UNITS.get(word) ?? null;
}

const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    money: "€ $ £ eur euro euros usd dollar dollars gbp pound pounds quid bucks francs chf cents céntimos dólares",
    percent: "% percent",
    minute: "min mins minute minutes minuto minutos",
    hour: "h hr hrs hour hours hora horas",
    second: "s sec secs second seconds segundos",
    day: "day days día días dia dias",
    week: "week weeks semana semanas",
    month: "month months mes meses",
    year: "year years año años yr yrs",
    metre: "m metre metres meter meters metros",
    kilometre: "km kms kilometre kilometres kilometer kilometers kilómetros",
    mile: "mile miles mi",
    foot: "ft feet foot",
    centimetre: "cm centimetre centimetres centimeter centimeters",
    inch: "inch inches in″",
    gram: "g gram grams gramos",
    kilogram: "kg kilo kilos kilogram kilograms",
    litre: "l litre litres liter liters litros",
    millilitre: "ml cl dl",
    spoon: "tbsp tsp tablespoon tablespoons teaspoon teaspoons cup cups pinch cucharada cucharadas",
    degree: "° °c °f c degrees degree grados",
    volt: "v volt volts",
    watt: "w wh kw watt watts",
    word: "word words palabra palabras",
    character: "character characters char chars letters caracteres",
    emoji: "emoji emojis",
    photo: "photo photos picture pictures image images foto fotos",
    link: "link links enlaces",
    sentence: "sentence sentences frases",
    item: "item items things options points films entries pieces articles bikes recipes examples",
    speed: "gear gears speed",
  }).flatMap(([unit, words]) => words.split(" ").map((word) => [word, unit] as const)),
);

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectLanguage } from "./language.js";
import { MORE_ENGLISH, SHORT_SENTENCES, SLANGY_ENGLISH } from "./language.suite.js";

/** Article 1 of the Universal Declaration of Human Rights (United Nations), or its first sentence. */
const ARTICLE_1: Record<string, string> = {
  en: "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood.",
  es: "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.",
  pt: "Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e de consciência, devem agir uns para com os outros em espírito de fraternidade.",
  fr: "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité.",
  it: "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di coscienza e devono agire gli uni verso gli altri in spirito di fratellanza.",
  de: "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geiste der Brüderlichkeit begegnen.",
  ca: "Tots els éssers humans neixen lliures i iguals en dignitat i en drets. Són dotats de raó i de consciència, i han de comportar-se fraternalment els uns amb els altres.",
  ar: "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.",
  ru: "Все люди рождаются свободными и равными в своем достоинстве и правах.",
  uk: "Всі люди народжуються вільними і рівними у своїй гідності та правах.",
  el: "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
  he: "כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
  hi: "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
  zh: "人人生而自由,在尊严和权利上一律平等。",
  ja: "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
  ko: "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
};

describe("detectLanguage", () => {
  for (const [language, text] of Object.entries(ARTICLE_1)) {
    it(`recognises ${language}`, () => expect(detectLanguage(text)).toBe(language));
  }

  it("does not decide on too little", () => {
    for (const text of ["", "Hola", "42", "🔥🔥", "x = 7", "OK", "https://pots.example/a"])
      expect(detectLanguage(text)).toBeNull();
  });

  it("says unknown rather than another language of short English comments", () => {
    const wrong = (texts: readonly string[]) => texts.filter((text) => !["en", null].includes(detectLanguage(text)));
    expect(wrong(SLANGY_ENGLISH).length / SLANGY_ENGLISH.length).toBeLessThan(0.03);
    expect(wrong(MORE_ENGLISH).length / MORE_ENGLISH.length).toBeLessThan(0.03);
  });

  it.each(Object.entries(SHORT_SENTENCES))(
    "recognises most short sentences in %s, and takes none for another",
    (language, text) => {
      const found = text.split("\n").map(detectLanguage);
      expect(found.filter((one) => one !== null && one !== language)).toEqual([]);
      expect(found.filter((one) => one === language).length / found.length).toBeGreaterThanOrEqual(0.75);
    },
  );

  it("follows the bulk of a text, not a name or a quotation in another script", () => {
    expect(detectLanguage("My neighbour is called Ольга and she has the best garden in the street.")).toBe("en");
  });

  it("does not depend on case", () => {
    for (const text of Object.values(ARTICLE_1)) expect(detectLanguage(text.toUpperCase())).toBe(detectLanguage(text));
  });

  it("never fails, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const language = detectLanguage(text);
        if (language !== null) expect(language).toMatch(/^[a-z]{2}$/);
      }),
    );
  });
});

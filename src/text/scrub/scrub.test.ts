import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../auditors/prompt.suite.js";
import { createScrub, unscrub } from "./scrub.js";

function scrubbed(text: string, names: string[] = []): string {
  return createScrub({ names }).begin().text(text);
}

describe("e-mail addresses", () => {
  it.each([
    ["Write to ann@example.org.", "Write to [EMAIL_1]."],
    ["<a.b+c_d%e@sub.example.co.uk>", "<[EMAIL_1]>"],
    ["mailto:x@example.com?subject=y", "mailto:[EMAIL_1]?subject=y"],
    ["请联系bob@example.com谢谢", "请联系[EMAIL_1]谢谢"],
    ["jörg@müller.de", "[EMAIL_1]"],
    ["用户@例子.公司", "[EMAIL_1]"],
    ["a@b.de, a@b.de; c@d.de", "[EMAIL_1], [EMAIL_1]; [EMAIL_2]"],
  ])("are hidden in %s", (text, expected) => expect(scrubbed(text)).toBe(expected));

  it.each(["user@localhost", "a @ b.de", "@ home", "3@", "x@.de", "two@@signs.de."])("are not seen in %s", (text) =>
    expect(scrubbed(text)).not.toContain("EMAIL"),
  );
});

describe("handles", () => {
  it.each([
    ["ask @fern_lover about it", "ask [HANDLE_1] about it"],
    ["@a.b-c!", "[HANDLE_1]!"],
    ["follow @ann@social.example now", "follow [HANDLE_1] now"],
    ["你好@小明 在吗", "你好[HANDLE_1] 在吗"],
    ["u/fernlover and /u/fernlover", "[HANDLE_1] and [HANDLE_2]"],
    ["https://site.example/u/fern_lover/posts", "https://site.example/[HANDLE_1]/posts"],
    ["https://video.example/@fern", "https://video.example/[HANDLE_1]"],
  ])("are hidden in %s", (text, expected) => expect(scrubbed(text)).toBe(expected));

  it.each(["meet @5pm", "2 @3.50 each", "@everyone look", "@12:30", "menu/options", "a @ b", "and/or", "foo@bar"])(
    "are not seen in %s",
    (text) => expect(scrubbed(text)).toBe(text),
  );
});

describe("telephone numbers", () => {
  it.each([
    "+49 171 2345678",
    "+1 (555) 010-9999",
    "+442079460018",
    "0049 30 123456",
    "(030) 1234567",
    "030/1234567",
    "0171-2345678",
    "020 7946 0018",
    "06 12 34 56 78",
    "01.23.45.67.89",
    "07946123456",
    "555-010-9999",
    "555-0142",
    "(555) 010-9999",
    "1-800-555-0199",
    "612 34 56 78",
    "912 345 678",
    "(11) 91234-5678",
    "98765 43210",
    "13812345678",
    "0171 / 234 5678",
    "0171—2345678",
    "171 2345678",
    "٠٥٠ ١٢٣ ٤٥٦٧",
    "０３-１２３４-５６７８",
  ])("are hidden when written %s", (number) => {
    expect(scrubbed(number)).toBe("[PHONE_1]");
    expect(scrubbed(`Ring, ${number}, after six.`)).toBe("Ring, [PHONE_1], after six.");
  });

  it("are told apart when they stand side by side", () => {
    expect(scrubbed("030 1234567 / 0171 2345678")).toBe("[PHONE_1] / [PHONE_2]");
    expect(scrubbed("030 1234567, 0171 2345678")).toBe("[PHONE_1], [PHONE_2]");
    expect(scrubbed("2024-05-01 0171 2345678")).toBe("2024-05-01 [PHONE_1]");
  });

  it("leave the brackets around them in place", () => {
    expect(scrubbed("a number (+49 151 23456789).")).toBe("a number ([PHONE_1]).");
    expect(scrubbed("a number ((030) 1234567).")).toBe("a number ([PHONE_1]).");
  });

  it("are digits alone after a word that says so", () => {
    expect(scrubbed("call me on 5550199")).toBe("call me on [PHONE_1]");
    expect(scrubbed("WhatsApp: 5551234567")).toBe("WhatsApp: [PHONE_1]");
    expect(scrubbed("Tel. 4711 08")).toBe("Tel. [PHONE_1]");
  });

  it.each([
    "2024-05-01",
    "01.02.2024",
    "on 01.02.2024 12:30",
    "01/02/2024 09:15:00",
    "12:30",
    "1.234.567,89 EUR",
    "€ 0123456789",
    "$1,234,567.89",
    "price 1 250 000",
    "v10.012.345.6789",
    "version 1.20.300.4000",
    "0.123456789",
    "3.14159265358979",
    "192.168.100.200",
    "ISBN 0306406152",
    "ISBN-13: 978-3-16-148410-0",
    "0-306-40615-2",
    "order 0123456789",
    "id=0171234567",
    "#0123456789",
    "t-aa-1001",
    "1718000000",
    "1718000000123",
    "1234567890123456789",
    "5551234567 views",
    "100-1500 g",
    "250-1000 g",
    "page 200-2024",
    "47.38214, 11.90766",
    "1998-2024",
    "+10 000 000 views",
    "9 to 5, 24/7, 365 days",
    "550e8400-e29b-41d4-a716-446655440000",
  ])("are not seen in %s", (text) => expect(scrubbed(text)).toBe(text));
});

describe("names from a list", () => {
  it("are hidden as whole words in any case, the longest first", () => {
    const names = ["Ann", "Ann Lee", "Ann Lee Smith"];
    expect(scrubbed("Ann Lee Smith met ann, ANN LEE's sister and Annette.", names)).toBe(
      "[NAME_1] met [NAME_2], [NAME_3]'s sister and Annette.",
    );
  });

  it("end at the border of a word in every script", () => {
    const names = ["Zoë", "José", "Анна", "O'Brien", "J. R. Hartley", "Øre"];
    expect(scrubbed("Zoë, Zoës, José\u0301, Анна Аннал O'Brien's J. R. Hartley; føre Øre", names)).toBe(
      "[NAME_1], Zoës, José\u0301, [NAME_2] Аннал [NAME_3]'s [NAME_4]; føre [NAME_5]",
    );
    expect(scrubbed("Jose\u0301 came", ["José"])).toBe("[NAME_1] came");
  });

  it("are found inside a line where a script has no spaces", () => {
    expect(scrubbed("我叫王小明，你好", ["王小明"])).toBe("我叫[NAME_1]，你好");
    expect(scrubbed("김철수는 왔다", ["김철수"])).toBe("[NAME_1]는 왔다");
  });

  it("that are one letter, empty or only marks hide nothing", () => {
    expect(scrubbed("a b . ( c", ["a", "", " ", "(", "."])).toBe("a b . ( c");
  });

  it("may hold characters with a meaning in patterns", () => {
    expect(scrubbed("by A.B*C (x) and AxBC", ["A.B*C (x)", "[q]z"])).toBe("by [NAME_1]) and AxBC");
  });
});

describe("placeholders", () => {
  const NAMES = ["Ann", "Bob Lee"];
  const pieces = fc.constantFrom(
    "ann@example.org",
    "@ann",
    "u/annlee",
    "0171 2345678",
    "+49 30 1234567",
    "Ann",
    "ANN",
    "Bob Lee",
    "[EMAIL_1]",
    "[NAME_2]",
    "[PHONE_1]",
    "[NAME_",
    "1]",
    "[",
    " ",
    ", ",
    "\n",
    "_1]",
  );

  it("are all put back, also where the text held placeholders before", () => {
    const text = fc.array(fc.oneof(pieces, pieces, anyText), { maxLength: 14 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (first, second) => {
        const frame = createScrub({ names: NAMES }).begin();
        const one = frame.text(first);
        const own = frame.fork();
        const two = own.text(second);
        expect(unscrub(one, own.occurring(one))).toBe(first);
        expect(unscrub(two, own.occurring(two))).toBe(second);
        expect(unscrub(`${one}\n${two}`, own.occurring(`${one}\n${two}`))).toBe(`${first}\n${second}`);
      }),
      { numRuns: 1500 },
    );
  });

  it("leave none of the hidden values in the text", () => {
    expect(scrubbed("Ann <ann@example.org>, 0171 2345678, @ann_b, Bob Lee", NAMES)).toBe(
      "[NAME_1] <[EMAIL_1]>, [PHONE_1], [HANDLE_1], [NAME_2]",
    );
  });

  it("are the same for the same value in all texts of a prompt, and free of other cases", () => {
    const frame = createScrub({ names: NAMES }).begin();
    expect(frame.text("Ann wrote to a@b.de")).toBe("[NAME_1] wrote to [EMAIL_1]");
    const first = frame.fork();
    expect(first.text("a@b.de and c@d.de, Ann")).toBe("[EMAIL_1] and [EMAIL_2], [NAME_1]");
    const second = frame.fork();
    expect(second.text("e@f.de")).toBe("[EMAIL_2]");
    expect(second.occurring("[EMAIL_1] [EMAIL_2] [EMAIL_3]")).toEqual({ "[EMAIL_1]": "a@b.de", "[EMAIL_2]": "e@f.de" });
  });

  it("that are not in the map stay", () => {
    expect(unscrub("[EMAIL_7] [NAME_1]", { "[NAME_1]": "$& Ann" })).toBe("[EMAIL_7] $& Ann");
  });
});

describe("time", () => {
  const names = Array.from({ length: 5000 }, (_, i) => `Name${i} Surname${i % 70}`);
  const scrub = createScrub({ names: [...names, "王小明"] });
  it.each([
    ["one letter", "a"],
    ["at signs", "@"],
    ["addresses without end", "a@a."],
    ["dots", "a."],
    ["digits", "7"],
    ["numbers", "0171 "],
    ["zeroes and dashes", "0-"],
    ["first names", "Name1 "],
    ["brackets", "[NAME_"],
    ["slashes", "u/"],
    ["pluses", "+(1) "],
  ])("grows with the length alone for 100,000 characters of %s", (_, unit) => {
    const started = process.cpuUsage();
    scrub.begin().text(unit.repeat(100_000 / unit.length));
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2500);
  });
});

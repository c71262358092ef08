import { runInNewContext } from "node:vm";
import { beforeEach, describe, expect, it } from "vitest";
import { FORM_SCRIPT } from "./form-script.js";
import { LEVEL_WORDS } from "./sheet.js";

/** As much of a page as the form's program touches. */
class Element {
  textContent = "";
  value = "";
  name = "";
  hidden = false;
  open = false;
  disabled = false;
  checked = false;
  children: Element[] = [];
  private readonly listeners = new Map<string, (event: { preventDefault(): void }) => void>();

  addEventListener(type: string, listener: (event: { preventDefault(): void }) => void): void {
    this.listeners.set(type, listener);
  }
  fire(type: string): void {
    this.listeners.get(type)!({ preventDefault: () => {} });
  }
  append(...children: Element[]): void {
    this.children.push(...children);
  }
  replaceChildren(...children: Element[]): void {
    this.children = children;
  }
  focus(): void {}
}

const RULES = Array.from({ length: 6 }, (_, i) => ({ scope: "community", id: `R${i}`, title: "t", text: "x" }));
const one = (name: string, restricts: boolean) => ({
  case: name,
  community: "c",
  decision: restricts ? "remove" : "approve",
  opposite: restricts ? "approve" : "remove",
  restricts,
  title: "",
  content: "text",
  context: [],
  media: false,
  rules: RULES,
});
const SHEET = {
  sheet_id: "s",
  words: LEVEL_WORDS,
  precedents: { c: [{ id: "p1", text: "old", decision: "remove", rule: "R1", reason: "because" }] },
  cases: [one("C1", true), one("C2", false)],
};

/** The form in a browser that keeps `storage`. */
function openForm(storage: Map<string, string>) {
  const elements = new Map<string, Element>();
  const byId = (id: string) => elements.get(id) ?? elements.set(id, new Element()).get(id)!;
  byId("sheet").textContent = JSON.stringify(SHEET);
  const radios = ["1", "2", "3", "Yes", "No"].map((value) =>
    Object.assign(new Element(), { value, name: value.length === 1 ? "level" : "inverse" }),
  );
  runInNewContext(FORM_SCRIPT, {
    document: {
      getElementById: byId,
      createElement: () => new Element(),
      querySelectorAll: (selector: string) =>
        selector === "#rules details"
          ? byId("rules").children
          : radios.filter(({ checked }) => checked || !selector.endsWith(":checked")),
    },
    localStorage: {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => storage.set(key, value),
    },
    window: { scrollTo: () => {} },
  });
  const begin = (name: string) => {
    byId("rater").value = name;
    byId("start").fire("submit");
  };
  const rate = (level: string, inverse: string) => {
    for (const radio of radios) radio.checked = radio.value === level || radio.value === inverse;
    byId("rating").fire("input");
  };
  const chosen = () => radios.filter(({ checked }) => checked).map(({ value }) => value);
  return { byId, begin, rate, chosen };
}

describe("the form", () => {
  let storage: Map<string, string>;
  beforeEach(() => {
    storage = new Map();
  });

  it("keeps the raters of a shared browser apart, and lets one say that they are another", () => {
    const form = openForm(storage);
    form.begin("ana");
    form.rate("3", "Yes");
    expect(form.byId("place").textContent).toContain("1 rated");
    const later = openForm(storage);
    expect(later.byId("who").textContent).toBe("ana");
    later.byId("change").fire("click");
    expect([later.byId("work").hidden, later.byId("start").hidden, later.byId("rater").value]).toEqual([
      true,
      false,
      "",
    ]);
    later.begin("ben");
    expect(later.byId("place").textContent).toContain("0 rated");
    expect(later.chosen()).toEqual([]);
    later.byId("change").fire("click");
    later.begin(" ANA");
    expect(later.byId("who").textContent).toBe("ana");
    expect(later.byId("place").textContent).toContain("1 rated");
    expect(later.chosen()).toEqual(["3", "Yes"]);
  });

  it("leaves all rules open in the next case, and the next time, once that was asked for", () => {
    const form = openForm(storage);
    form.begin("ana");
    const open = () => form.byId("rules").children.filter((rule) => rule.open).length;
    expect(open()).toBe(0);
    form.byId("all").fire("click");
    expect(open()).toBe(6);
    form.byId("next").fire("click");
    expect(open()).toBe(6);
    const again = openForm(storage);
    expect(again.byId("rules").children.every((rule) => rule.open)).toBe(true);
  });

  it("asks by the action, names the opposite, and shows precedents", () => {
    const form = openForm(storage);
    form.begin("ana");
    const asked = new Set<string>();
    for (const move of ["next", "before"]) {
      const restricts = form.byId("decision").textContent === "remove";
      asked.add(form.byId("decision").textContent);
      expect(form.byId("opposite").textContent).toBe(restricts ? "approve" : "remove");
      expect(form.byId("level-3").textContent).toBe(LEVEL_WORDS[restricts ? "restricts" : "allows"][2]);
      expect(form.byId("precedents-list").children[0]!.children.map(({ textContent }) => textContent)).toEqual([
        "p1: remove, under rule R1",
        "old",
        "Reason: because",
      ]);
      form.byId(move).fire("click");
    }
    expect(asked.size).toBe(2);
  });
});

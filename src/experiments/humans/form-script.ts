import { FORMULA } from "../../core/records/csv-row.js";

/**
 * The form's script. It runs in the rater's browser from a file, without network, so it is plain JavaScript in one piece. Case data enter
 * the page as text, never as markup. Ratings are kept in the browser while the form is filled in, and leave it only as a file that the
 * rater saves.
 */
export const FORM_SCRIPT = String.raw`"use strict";
const sheet = JSON.parse(document.getElementById("sheet").textContent);
const byId = (id) => document.getElementById(id);
const store = "defensible ratings " + sheet.sheet_id;
// Each rater has a place of their own, so that raters who share a browser do not continue each other's ratings.
const states = new Map();
let state = null;
let order = [];

function read(key) { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } }

// "Ana" and "ana " are one rater, as they are when ratings are imported.
function keyOf(rater) { return store + " of " + rater.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase(); }

function stateOf(rater) {
  const key = keyOf(rater);
  if (!states.has(key)) states.set(key, Object.assign({ rater, at: 0, ratings: {}, open: false, precedents: false }, read(key)));
  return states.get(key);
}

function save() {
  try {
    localStorage.setItem(keyOf(state.rater), JSON.stringify(state));
    localStorage.setItem(store, JSON.stringify(state.rater));
  } catch {}
}

// Each rater gets their own order, the same every time: cases late in a sheet are read with tired eyes.
function ordered(rater) {
  const hash = (text) => { let h = 2166136261; for (const c of text) h = Math.imul(h ^ c.codePointAt(0), 16777619); h ^= h >>> 15; h = Math.imul(h, 2246822519); return (h ^ (h >>> 13)) >>> 0; };
  return sheet.cases.map((one) => ({ one, key: hash(rater + "\u0000" + one.case) })).sort((a, b) => a.key - b.key || (a.one.case < b.one.case ? -1 : 1)).map(({ one }) => one);
}

function text(tag, content, className) {
  const element = document.createElement(tag);
  element.textContent = content;
  element.dir = "auto";
  if (className) element.className = className;
  return element;
}

function rated(one) { const r = state.ratings[one.case]; return Boolean(r && r.level && r.inverse); }

function tally() {
  const done = order.filter(rated).length;
  byId("place").textContent = "Case " + (state.at + 1) + " of " + order.length + " · " + done + " rated";
  byId("export").disabled = done === 0;
  byId("left").textContent = done === order.length ? "All cases are rated. Save your ratings and send the file back." : (order.length - done) + " left. You can save and go on later in this browser.";
}

function show() {
  const one = order[state.at];
  tally();
  const content = byId("content");
  content.replaceChildren(text("h2", "Content, in " + one.community));
  if (one.title) content.append(text("p", one.title, "title"));
  content.append(text("p", one.content, "text"));
  if (one.media) content.append(text("p", "With media that is not shown here.", "soft"));
  if (one.context.length) {
    content.append(text("h2", "What it answers to"));
    for (const part of one.context) content.append(text("p", part, "text"));
  }
  byId("decision").textContent = one.decision;
  byId("opposite").textContent = one.opposite;
  const words = one.restricts ? sheet.words.restricts : sheet.words.allows;
  words.forEach((content, i) => { byId("level-" + (i + 1)).textContent = content; });
  const rules = byId("rules");
  rules.replaceChildren();
  for (const rule of one.rules) {
    const details = document.createElement("details");
    details.open = state.open || one.rules.length <= 4;
    details.append(text("summary", (rule.scope === "platform" ? "Platform rule " : "Community rule ") + rule.id + ": " + rule.title));
    details.append(text("p", rule.text || "(no further text)", "text"));
    rules.append(details);
  }
  if (!one.rules.length) rules.append(text("p", "There are no rules.", "soft"));
  byId("all").textContent = state.open ? "Close all" : "Open all, here and in the next cases";
  showPrecedents(sheet.precedents[one.community]);
  const rating = state.ratings[one.case] || {};
  for (const input of document.querySelectorAll("#rating input[type=radio]")) input.checked = rating[input.name] === input.value;
  byId("comment").value = rating.comment || "";
  byId("before").disabled = state.at === 0;
  byId("next").disabled = state.at === order.length - 1;
}

function showPrecedents(precedents) {
  byId("precedents").hidden = precedents.length === 0;
  byId("precedents").open = state.precedents;
  byId("precedents-title").textContent = "Precedents: " + precedents.length + " earlier decisions of this community";
  byId("precedents-list").replaceChildren(...precedents.map((one) => {
    const article = document.createElement("article");
    article.append(text("p", one.id + ": " + one.decision + (one.rule ? ", under rule " + one.rule : ""), "title"));
    article.append(text("p", one.text, "text"));
    if (one.reason) article.append(text("p", "Reason: " + one.reason, "soft"));
    return article;
  }));
}

function openAll() {
  state.open = !state.open;
  save();
  for (const details of document.querySelectorAll("#rules details")) details.open = state.open;
  byId("all").textContent = state.open ? "Close all" : "Open all, here and in the next cases";
}

function note() {
  const one = order[state.at];
  const rating = { comment: byId("comment").value, at: new Date().toISOString() };
  for (const input of document.querySelectorAll("#rating input[type=radio]:checked")) rating[input.name] = input.value;
  state.ratings[one.case] = rating;
  save();
  tally();
}

function move(by) { state.at = Math.min(order.length - 1, Math.max(0, state.at + by)); save(); show(); window.scrollTo(0, 0); byId("place").focus(); }

// What a spreadsheet would take for a formula gets a mark before it that the import takes away.
function cell(value) {
  const content = /^${FORMULA}/u.test(value) ? "'" + value : value;
  return '"' + content.replaceAll('"', '""') + '"';
}

function exportRatings() {
  const rows = [["sheet_id", "case", "rater", "level", "inverse", "comment", "rated_at"]];
  for (const one of sheet.cases) {
    const r = state.ratings[one.case];
    if (r && r.level && r.inverse) rows.push([sheet.sheet_id, one.case, state.rater, r.level, r.inverse, r.comment || "", r.at || ""]);
  }
  const blob = new Blob([rows.map((row) => row.map(cell).join(",")).join("\n") + "\n"], { type: "text/csv" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = "ratings-" + sheet.sheet_id + "-" + state.rater.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 40) + ".csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function begin(rater) {
  state = stateOf(rater);
  save();
  order = ordered(state.rater);
  byId("who").textContent = state.rater;
  byId("start").hidden = true;
  byId("work").hidden = false;
  show();
}

function changeName() {
  byId("others").textContent = "What " + state.rater + " has entered stays in this browser under that name.";
  byId("others").hidden = false;
  byId("work").hidden = true;
  byId("start").hidden = false;
  byId("rater").value = "";
  byId("rater").focus();
}

byId("start").addEventListener("submit", (event) => {
  event.preventDefault();
  const rater = byId("rater").value.trim().normalize("NFC");
  if (rater) begin(rater);
});
byId("change").addEventListener("click", changeName);
byId("rating").addEventListener("input", note);
byId("all").addEventListener("click", openAll);
byId("precedents-title").addEventListener("click", () => { state.precedents = !byId("precedents").open; save(); });
byId("before").addEventListener("click", () => move(-1));
byId("next").addEventListener("click", () => move(1));
byId("export").addEventListener("click", exportRatings);
const last = read(store);
if (typeof last === "string" && last) begin(last);
`;

import { ROUTE_SENTENCES } from "../../src/measures/gate/route/reasons.js";
import { plural } from "../../src/present/words/numbers.js";
import { nameText } from "../../src/present/words/vocabulary.js";
import { capitalised } from "../parts/text/words.ts";

/** Reasons of a route in a few words; docs/route.md has the sentences. */
const SHORT: Readonly<Record<string, string>> = {
  community_passes: "Community passes the gate",
  score_reaches_threshold: "Score reaches the threshold",
  without_score: "By its community alone",
  unverified_content: "Content not verified",
  closed: "All gates closed",
  no_gate: "No active gate",
  unknown_community: "Unknown community",
  insufficient: "Too few audits in the community",
  does_not_pass: "Community does not pass",
  harm_above_limit: "Expected harm above its limit",
  not_certified: "Gate not proven",
  suspended: "Community suspended",
  foreign_gate: "Gate of another auditor",
  rules_changed: "Rules changed",
  no_audit: "Waiting for its audit",
  bad_audit: "Audit not readable",
  other_decision: "Audit of another decision",
  content_changed: "Content changed",
  audit_error: "Audit failed",
  unscored: "Audit without a verdict",
  indefensible: "Indefensible",
  probably_indefensible: "Probably indefensible",
  missing_calibration: "No calibration",
  foreign_calibration: "Other calibration",
  no_score: "No score",
  no_threshold: "No threshold",
  below_threshold: "Score too low",
  appeal: "Under appeal",
  unseen_media: "Media not seen",
  injection_suspected: "Addresses the auditor",
  content_cut: "Content cut",
  retroactive_rule: "Rule too new",
  never_automate: "Never automated",
  unresolved_citation: "Citation unclear",
  random_review: "Random check",
};

export function reasonName(reason: string): string {
  return SHORT[reason] ?? capitalised(nameText(reason.replaceAll("_", " "), 60));
}

export function reasonSentence(reason: string): string | undefined {
  return (ROUTE_SENTENCES as Record<string, string>)[reason];
}

/** "just now", "4 min ago". */
export function ago(iso: string, now = Date.now()): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  return Number.isNaN(seconds) ? "" : seconds < 10 ? "just now" : `${duration(seconds)} ago`;
}

/** "40 s", "12 min", "3 h", "2 days". */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h`;
  return plural(Math.round(seconds / 86_400), "day");
}

/** A setting with all its digits: "92.5%". */
export function exactShare(share: number): string {
  return `${Number((100 * share).toFixed(2))}%`;
}

/** Actions in the activity log. */
const ACTIONS: Readonly<Record<string, string>> = {
  "appeal.decide": "decided an appeal",
  "appeal.file": "filed an appeal",
  "audit.view": "read the audit of an appeal",
  "content.erase": "erased content",
  "content.view": "read content without a claim",
  "gate.apply": "applied a gate",
  "gate.close": "closed all gates",
  "gate.open": "opened the gates",
  "gate.reinstate": "ended a suspension",
  "gate.suspend": "suspended a community",
  "key.create": "made a key",
  "key.revoke": "revoked a key",
  "person.sign_in": "signed in",
  "retention.set": "set the retention",
  "review.settings": "changed how reviews work",
  "rules.put": "added rules",
  "webhook.change": "changed a webhook",
  "webhook.create": "made a webhook",
  "webhook.delete": "deleted a webhook",
  "webhook.disabled": "disabled a webhook",
  "webhook.rotate": "replaced the secret of a webhook",
};

export function actionName(action: string): string {
  return ACTIONS[action] ?? nameText(action.replaceAll(/[._-]/g, " "), 60);
}

export const OUTCOME_NAMES: Readonly<Record<string, string>> = { uphold: "Upheld", overturn: "Overturned" };

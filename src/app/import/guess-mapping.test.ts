import { describe, expect, it } from "vitest";
import { MODERATION_ACTIONS } from "../../core/records/actions.js";
import { type Mapping, parseMapping } from "../../store/records/mapping.js";
import { RECORD_KINDS, type RecordKind } from "../../store/records/record-kinds.js";
import { guessMapping } from "./guess-mapping.js";
import { ColumnSample } from "./sample-columns.js";

/** What a table with this header and these rows seems to mean. */
function guess(
  header: string,
  rows: readonly (readonly unknown[])[],
  options: { given?: Mapping; as?: RecordKind } = {},
) {
  const columns = header.split(",").map((name, at) => {
    const column = new ColumnSample(name);
    for (const row of rows) column.add(row[at]);
    return column;
  });
  const kind = RECORD_KINDS[options.as ?? "decisions"];
  const found = guessMapping(
    { columns, rows: rows.length },
    kind,
    MODERATION_ACTIONS,
    options.given ?? parseMapping({}),
  );
  const fields = Object.fromEntries(found.columns.map(({ column, fields: own }) => [column, own.join(" ")]));
  return { ...found, fields };
}

const POST = "I would like to sell my old bicycle to somebody nice.";

describe("columns are guessed", () => {
  it.each([
    [
      "a forum's log",
      "log_id,subreddit,title,text,action,mod_review,moderator,created_utc,permalink,removal_reason",
      [
        ["9001", "plants", "Bulbs", POST, "removelink", "removelink", "kim", "1777888800", "/r/plants/1/", "Rule 3"],
        ["9002", "plants", "Fern?", "Found it.", "approvelink", null, "lee", "1777888900", "/r/plants/2/", null],
      ],
      "id community content.title content.body decision human_label decider decided_at content.url rationale",
    ],
    [
      "a spreadsheet",
      "Case,Queue,Message from user,Our decision,QA outcome,Policy violated,Analyst,Date handled,Lang",
      [
        ["TS-1", "Market", POST, "Taken down", "Left up", "P4", "Maria Lopez", "2026-05-03", "en"],
        ["TS-2", "Market", "Hello there all of you", "No action", "No action", null, "Tom", "2026-05-03", "de"],
      ],
      "id community content.body decision human_label cited_rule decider decided_at content.language",
    ],
    [
      "a bot's log",
      "ts,guild,msg.id,msg.author,msg.text,is_spam,confidence,model",
      [
        ["2026-05-01T10:00:00Z", "gaming", "12345678901", "bob", POST, true, 0.97, "modbot-3"],
        ["2026-05-01T10:00:01Z", "gaming", "12345678902", "amy", "a raid tonight?", false, 0.88, "modbot-3"],
      ],
      "decided_at community id  content decision decider.confidence decider.id",
    ],
    [
      "names in other letters",
      "ID,Community,Content,DECISION,Human Label,Decided-At",
      [["1", "c", "x", "Remove", "approve", "2026-01-01"]],
      "id community content decision human_label decided_at",
    ],
    [
      "words in camel case, threads and rules",
      "itemId,forumName,postText,actionTaken,ruleViolated,threadId,policyVersion,decidedBy,actorType,appealStatus",
      [
        ["a", "f", POST, "hide", "R1", "t1", "v3", "kim", "bot", "granted"],
        ["b", "f", "Hello there all", "keep", "R2", "t1", "v3", "lee", "staff", "denied"],
      ],
      "id community content decision cited_rule thread_id ruleset_version decider.id decider.kind appeal.outcome",
    ],
    [
      "values alone",
      "a,b,c,d,e",
      [
        ["remove", POST, "2026-01-01", "en", "https://example.org/1"],
        ["approve", "Hello there all of you", "2026-01-02", "de", "https://example.org/2"],
      ],
      "decision content.body decided_at content.language content.url",
    ],
    [
      "an author by that name alone, and nothing of reporters, scores and counts",
      "id,community,content,decision,author,user_id,report_reason,toxicity_score,upvotes,reporter_name",
      [["1", "c", POST, "remove", "bob", "77", "rude", "0.9", "12", "amy"]],
      "id community content decision author     ",
    ],
  ] as const)("from %s", (_, header, rows, expected) => {
    expect(Object.values(guess(header, rows).fields).join(" ")).toBe(expected);
  });

  it("take a label for the decision where there is no other", () => {
    const rows = [["1", "c", POST, "bad"]];
    expect(guess("id,community,text,label", rows).fields.label).toBe("decision");
    expect(guess("id,community,text,label,action", [[...rows[0]!, "remove"]]).fields).toMatchObject({
      label: "human_label",
      action: "decision",
    });
  });

  it.each([
    "mod_decision,second_opinion",
    "mod_decision,qa_decision",
    "moderator_decision,reviewer_decision",
    "human_decision,secondOpinion",
    "mod_decision,appeal_outcome",
    "mod_decision,appeal decision",
    "moderator label,review_outcome",
    "mod_decision,final_decision",
    "mod_call,appeal_result",
    "action,mod_review",
    "mod_action,second_opinion",
    "call,qa_decision",
    "model_decision,moderator_decision",
  ])("take a moderator's column for the decision next to a second look: %s", (pair) => {
    const [first, second] = pair.split(",") as [string, string];
    const row = ["1", "c", POST, "remove", "keep"];
    const other = ["2", "c", POST, "keep", "keep"];
    for (const [header, rows] of [
      [`id,community,text,${pair}`, [row, other]],
      [`id,community,text,${second},${first}`, [row.with(3, "keep").with(4, "remove"), other]],
    ] as const) {
      const { fields, unsure } = guess(header, rows);
      expect(fields).toMatchObject({ [first]: "decision", [second]: "human_label" });
      expect(unsure).toBe(null);
    }
  });

  it("are labels where a senior moderator says them", () => {
    const rows = [["1", "c", POST, "Taken down", "Kept up"]];
    expect(guess("id,community,text,Outcome,Senior mod says", rows).fields).toMatchObject({
      Outcome: "decision",
      "Senior mod says": "human_label",
    });
  });

  it("leave the labels of a second look to what was given", () => {
    const given = parseMapping({ map: ["mod_decision=human_label"] });
    const rows = [["1", "c", POST, "remove", "keep"]];
    expect(guess("id,community,text,mod_decision,second_opinion", rows, { given }).fields).toMatchObject({
      mod_decision: "human_label",
      second_opinion: "decision",
    });
  });

  it.each(["mod_decision,automod", "mod_review,second_opinion"])(
    "say that the decision is in doubt where values alone speak for it: %s",
    (pair) => {
      const [label, decision] = pair.split(",");
      const { fields, unsure } = guess(`id,community,text,${pair}`, [["1", "c", POST, "remove", "keep"]]);
      expect(fields).toMatchObject({ [label!]: "human_label", [decision!]: "decision" });
      expect(unsure).toEqual({ column: decision, claimant: label });
    },
  );

  it("tell an id from what repeats, and make one where there is none", () => {
    const rows = [1, 2, 3, 4].map((n) => [n % 2, `log-${n}`, "c", POST, "remove"]);
    expect(guess("post_id,log_id,community,content,decision", rows).fields).toMatchObject({
      post_id: "",
      log_id: "id",
    });
    const none = guess(
      "post_id,community,content,decision",
      rows.map(([id, , ...rest]) => [id, ...rest]),
    );
    expect([none.mapping.idFrom, none.missing]).toEqual(["hash", []]);
  });

  it("go by what was given, and keep what is to be kept", () => {
    const rows = [["1", "c", POST, "other words here", "remove"]];
    const given = parseMapping({ map: ["note=content"], set: ["community=plants"], idFrom: "hash" });
    const { fields, mapping } = guess("id,group,text,note,action", rows, { given });
    expect(fields).toEqual({ id: "", group: "", text: "", note: "content", action: "decision" });
    expect(mapping).toMatchObject({ constants: [{ field: "community", value: "plants" }], idFrom: "hash" });
  });

  it("name another column that could be meant", () => {
    const rows = [
      ["1", "2", "c", POST, "remove"],
      ["3", "4", "c", POST, "remove"],
    ];
    expect(guess("case_id,ticket_id,group,text,action", rows).columns[0]).toMatchObject({
      fields: ["id"],
      rival: "ticket_id",
    });
  });

  it("leave alone names that cannot be shown as they are", () => {
    const rows = [["1", "c", POST, "remove"]];
    expect(guess("id,community,te\u202ext,decision", rows).missing).toEqual(["content"]);
    expect(guess("id,community,\u001b[31mtext,decision", [["1", "c", "x", "remove"]]).missing).toEqual(["content"]);
  });

  it("say what labels and outcomes need", () => {
    expect(guess("case,rating,annotator", [["1", "2", "kim"]], { as: "labels" }).fields).toEqual({
      case: "decision_id",
      rating: "level",
      annotator: "rater",
    });
    const outcomes = guess("case_id,result,closed_at", [["1", "reversed", "2026-01-01"]], { as: "outcomes" });
    expect(outcomes.mapping.values).toEqual([{ field: "outcome", theirs: "reversed", ours: "overturn" }]);
    expect(outcomes.missing).toEqual([]);
  });
});

describe("words for actions are guessed", () => {
  const words = (column: string, values: readonly unknown[]) =>
    guess(
      `id,community,content,${column}`,
      values.map((value, n) => [n, "c", POST, value]),
    );

  it("from words of logs", () => {
    const { mapping, unknown } = words("action", [
      "removelink",
      "Approved",
      "no action",
      "Removed: not safe",
      "sticky",
    ]);
    expect(mapping.values).toEqual([
      { field: null, theirs: "removelink", ours: "remove" },
      { field: null, theirs: "Approved", ours: "approve" },
      { field: null, theirs: "no action", ours: "approve" },
    ]);
    expect(unknown.map(({ value }) => value)).toEqual(["Removed: not safe", "sticky"]);
  });

  it("from whole values alone, whatever words they contain", () => {
    const phrases =
      "dont remove|don't remove|undo remove|revert remove|remove reverted|removal rejected|removal denied|overturned removal|ban lifted|lift ban|report rejected|flag rejected|remove report|removed then approved|almost removed|approval denied|approval revoked|revoke approval|overturn approval|approved removal|keep removed|pending approval|approved then removed|removed?|!removed|❌ removed|r̶e̶m̶o̶v̶e̶d̶|do_not_remove|un-approved".split(
        "|",
      );
    const { mapping, unknown } = words("decision", phrases);
    expect(mapping.values).toEqual([]);
    expect(unknown.map(({ value }) => value).sort()).toEqual([...phrases].sort());
    const known = [
      "[Removed]",
      "taken-down",
      "POST_REMOVED",
      "removed by moderator",
      "Not removed.",
      "leftUp",
      "Keep!",
    ];
    const { mapping: whole, unknown: none } = words("decision", known);
    expect(whole.values.map(({ ours }) => ours)).toEqual([
      "remove",
      "remove",
      "remove",
      "remove",
      "approve",
      "approve",
      "approve",
    ]);
    expect(none).toEqual([]);
  });

  it("from no value at all where the column is named for actions and no other is one", () => {
    const rows = [
      ["1", "c", POST, "undo remove", "yes"],
      ["2", "c", POST, "lift ban", "no"],
    ];
    const { fields, missing, unknown } = guess("id,community,content,action,x", rows);
    expect([fields.action, missing, unknown.length]).toEqual(["decision", [], 2]);
    expect(guess("id,community,content,action,removed", rows).fields).toMatchObject({
      action: "",
      removed: "decision",
    });
  });

  it.each(["removal_reverted", "report_rejected", "not_removed_yet", "pending_approval"])(
    "from yes and no only where the name is an action, not %s",
    (name) => {
      const given = parseMapping({ map: [`${name}=decision`] });
      const rows = [
        ["1", "c", POST, "yes"],
        ["2", "c", POST, "no"],
      ];
      expect(guess(`id,community,content,${name}`, rows, { given }).mapping.values).toEqual([]);
    },
  );

  it("from yes and no, by the name of the column", () => {
    expect(words("is_removed", [true, false]).mapping.values.map(({ ours }) => ours)).toEqual(["remove", "approve"]);
    expect(words("approved", ["Yes", "No"]).mapping.values.map(({ ours }) => ours)).toEqual(["approve", "remove"]);
    expect(words("decision", ["1", "0"])).toMatchObject({
      mapping: { values: [] },
      unknown: [{ value: "1" }, { value: "0" }],
    });
  });

  it("field by field where two columns contradict each other", () => {
    const { mapping } = guess("id,community,content,removed,human_review_ok", [
      ["1", "c", POST, "true", "true"],
      ["2", "c", POST, "false", "false"],
    ]);
    expect(mapping.values.map(({ field, theirs, ours }) => `${field}:${theirs}=${ours}`).sort()).toEqual([
      "decision:false=approve",
      "decision:true=remove",
      "human_label:false=remove",
      "human_label:true=approve",
    ]);
  });
});

describe("a guess says whether it is needed", () => {
  it("not where all fields have their names", () => {
    const { needed, adds } = guess("id,community,content,decision,x", [["1", "c", "x", "remove", 1]]);
    expect([needed, adds]).toEqual([false, false]);
  });

  it("not for a column that rows can do without", () => {
    const { needed, adds } = guess("id,community,content,decision,mod", [["1", "c", "x", "remove", "kim"]]);
    expect([needed, adds]).toEqual([false, true]);
  });

  it("and takes names in other letters for certain", () => {
    const { needed, certain } = guess("Id,COMMUNITY,content,decision", [["1", "c", "x", "remove"]]);
    expect(needed).toBe(false);
    expect(certain.columns).toHaveLength(2);
  });

  it("and notices rows in place of a header, and times that are not ISO 8601", () => {
    expect(guess("1,plants,hello,remove", [["2", "plants", "x", "remove"]]).no_header).toBe(true);
    expect(guess("id,community,content,decision", [["2", "plants", "x", "decision"]]).no_header).toBe(false);
    const dates = guess("id,community,content,decision,created", [["1", "c", "x", "remove", "03/05/2026"]]);
    expect(dates.columns[4]).toMatchObject({ fields: ["decided_at"], times_unreadable: true });
  });
});

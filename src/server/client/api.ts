// Made from docs/openapi.json by `OPENAPI=write npx vitest run src/server/document.test.ts`.

export interface Api {
  /** Where a decision goes: `automate` or `review`. With `Prefer: wait=5` it waits for the audit of a new decision. */
  "POST /v1/route": {
    body: AskedDecision;
    answer: Routed;
  };
  /** Routes of many decisions: JSON lines in, JSON lines out, in the same order. */
  "POST /v1/routes": {
    body: AskedDecision;
    lines: true;
    answer: Routed;
  };
  /** The last route of a decision. */
  "GET /v1/decisions/{id}/route": {
    params: {
      id: string;
    };
    answer: LoggedRoute;
  };
  /** All routes of a decision, newest first. */
  "GET /v1/decisions/{id}/routes": {
    params: {
      id: string;
    };
    query?: {
      limit?: number;
      cursor?: string;
    };
    answer: {
      items: LoggedRoute[];
      next_cursor: string | null;
    };
  };
  /** Keeps a decision, or a stream of them as JSON lines, and orders the audits. A decision that is kept already is a duplicate; the same id with another content is a conflict. */
  "POST /v1/decisions": {
    body: Decision;
    lines: true;
    answer: Received;
  };
  /** Decisions in the order in which they came. Content needs the scope `content:read`. */
  "GET /v1/decisions": {
    query?: {
      limit?: number;
      cursor?: string;
      community?: string;
    };
    answer: {
      items: ShownDecision[];
      next_cursor: string | null;
    };
  };
  /** A decision with its newest audit and route, its reviews and its appeals. */
  "GET /v1/decisions/{id}": {
    params: {
      id: string;
    };
    answer: {
      decision: ShownDecision;
      audit: Audit | null;
      route: RouteRecord | null;
      reviews: Review[];
      appeals: Appeal[];
    };
  };
  /** Audits of a decision, newest first, of every run. */
  "GET /v1/decisions/{id}/audits": {
    params: {
      id: string;
    };
    query?: {
      limit?: number;
      cursor?: string;
    };
    answer: {
      items: Audit[];
      next_cursor: string | null;
    };
  };
  /** Keeps an audit that another tool made, or a stream of them as JSON lines, with who sent it. Its decision must be here. A decision that has an audit keeps that one: a duplicate. */
  "POST /v1/audits": {
    body: SentAuditInput;
    lines: true;
    answer: Received;
  };
  /** The draft of a statement of reasons (EU DSA, Article 17) from the newest audit. 409 with code `not_a_restriction`, `indefensible`, `ambiguous` and others of docs/statements.md. Reasoning needs the scope `content:read`. */
  "GET /v1/decisions/{id}/statement-of-reasons": {
    params: {
      id: string;
    };
    answer: {
      format: "defensible/statement/1";
      decision_id: string;
      run_id: string;
      community: string;
      ready: boolean;
      statement: {
        decision_visibility?: ("DECISION_VISIBILITY_CONTENT_REMOVED" | "DECISION_VISIBILITY_CONTENT_DISABLED" | "DECISION_VISIBILITY_CONTENT_DEMOTED" | "DECISION_VISIBILITY_CONTENT_AGE_RESTRICTED" | "DECISION_VISIBILITY_CONTENT_INTERACTION_RESTRICTED" | "DECISION_VISIBILITY_CONTENT_LABELLED" | "DECISION_VISIBILITY_OTHER")[];
        decision_visibility_other?: string;
        decision_monetary?: "DECISION_MONETARY_SUSPENSION" | "DECISION_MONETARY_TERMINATION" | "DECISION_MONETARY_OTHER";
        decision_monetary_other?: string;
        decision_provision?: "DECISION_PROVISION_PARTIAL_SUSPENSION" | "DECISION_PROVISION_TOTAL_SUSPENSION" | "DECISION_PROVISION_PARTIAL_TERMINATION" | "DECISION_PROVISION_TOTAL_TERMINATION";
        decision_account?: "DECISION_ACCOUNT_SUSPENDED" | "DECISION_ACCOUNT_TERMINATED";
        account_type?: "ACCOUNT_TYPE_BUSINESS" | "ACCOUNT_TYPE_PRIVATE";
        decision_ground?: "DECISION_GROUND_ILLEGAL_CONTENT" | "DECISION_GROUND_INCOMPATIBLE_CONTENT";
        decision_ground_reference_url?: string;
        illegal_content_legal_ground?: string;
        illegal_content_explanation?: string;
        incompatible_content_ground?: string;
        incompatible_content_explanation?: string;
        incompatible_content_illegal?: "Yes" | "No";
        content_type?: ("CONTENT_TYPE_APP" | "CONTENT_TYPE_AUDIO" | "CONTENT_TYPE_IMAGE" | "CONTENT_TYPE_PRODUCT" | "CONTENT_TYPE_SYNTHETIC_MEDIA" | "CONTENT_TYPE_TEXT" | "CONTENT_TYPE_VIDEO" | "CONTENT_TYPE_OTHER")[];
        content_type_other?: string;
        category?: "STATEMENT_CATEGORY_ANIMAL_WELFARE" | "STATEMENT_CATEGORY_CONSUMER_INFORMATION" | "STATEMENT_CATEGORY_CYBER_VIOLENCE" | "STATEMENT_CATEGORY_CYBER_VIOLENCE_AGAINST_WOMEN" | "STATEMENT_CATEGORY_DATA_PROTECTION_AND_PRIVACY_VIOLATIONS" | "STATEMENT_CATEGORY_ILLEGAL_OR_HARMFUL_SPEECH" | "STATEMENT_CATEGORY_INTELLECTUAL_PROPERTY_INFRINGEMENTS" | "STATEMENT_CATEGORY_NEGATIVE_EFFECTS_ON_CIVIC_DISCOURSE_OR_ELECTIONS" | "STATEMENT_CATEGORY_NOT_SPECIFIED_NOTICE" | "STATEMENT_CATEGORY_OTHER_VIOLATION_TC" | "STATEMENT_CATEGORY_PROTECTION_OF_MINORS" | "STATEMENT_CATEGORY_RISK_FOR_PUBLIC_SECURITY" | "STATEMENT_CATEGORY_SCAMS_AND_FRAUD" | "STATEMENT_CATEGORY_SELF_HARM" | "STATEMENT_CATEGORY_UNSAFE_AND_PROHIBITED_PRODUCTS" | "STATEMENT_CATEGORY_VIOLENCE";
        category_addition?: ("STATEMENT_CATEGORY_ANIMAL_WELFARE" | "STATEMENT_CATEGORY_CONSUMER_INFORMATION" | "STATEMENT_CATEGORY_CYBER_VIOLENCE" | "STATEMENT_CATEGORY_CYBER_VIOLENCE_AGAINST_WOMEN" | "STATEMENT_CATEGORY_DATA_PROTECTION_AND_PRIVACY_VIOLATIONS" | "STATEMENT_CATEGORY_ILLEGAL_OR_HARMFUL_SPEECH" | "STATEMENT_CATEGORY_INTELLECTUAL_PROPERTY_INFRINGEMENTS" | "STATEMENT_CATEGORY_NEGATIVE_EFFECTS_ON_CIVIC_DISCOURSE_OR_ELECTIONS" | "STATEMENT_CATEGORY_NOT_SPECIFIED_NOTICE" | "STATEMENT_CATEGORY_OTHER_VIOLATION_TC" | "STATEMENT_CATEGORY_PROTECTION_OF_MINORS" | "STATEMENT_CATEGORY_RISK_FOR_PUBLIC_SECURITY" | "STATEMENT_CATEGORY_SCAMS_AND_FRAUD" | "STATEMENT_CATEGORY_SELF_HARM" | "STATEMENT_CATEGORY_UNSAFE_AND_PROHIBITED_PRODUCTS" | "STATEMENT_CATEGORY_VIOLENCE")[];
        category_specification?: ("KEYWORD_ANIMAL_HARM" | "KEYWORD_ADULT_SEXUAL_MATERIAL" | "KEYWORD_AGE_SPECIFIC_RESTRICTIONS" | "KEYWORD_AGE_SPECIFIC_RESTRICTIONS_MINORS" | "KEYWORD_BIOMETRIC_DATA_BREACH" | "KEYWORD_BULLYING_AGAINST_GIRLS" | "KEYWORD_CHILD_SEXUAL_ABUSE_MATERIAL" | "KEYWORD_CHILD_SEXUAL_ABUSE_MATERIAL_DEEPFAKE" | "KEYWORD_CONTENT_PROMOTING_EATING_DISORDERS" | "KEYWORD_COORDINATED_HARM" | "KEYWORD_COPYRIGHT_INFRINGEMENT" | "KEYWORD_CYBER_BULLYING_INTIMIDATION" | "KEYWORD_CYBER_HARASSMENT" | "KEYWORD_CYBER_HARASSMENT_AGAINST_WOMEN" | "KEYWORD_CYBER_INCITEMENT" | "KEYWORD_CYBER_STALKING" | "KEYWORD_CYBER_STALKING_AGAINST_WOMEN" | "KEYWORD_DATA_FALSIFICATION" | "KEYWORD_DEFAMATION" | "KEYWORD_DESIGN_INFRINGEMENT" | "KEYWORD_DISCRIMINATION" | "KEYWORD_MISINFORMATION_DISINFORMATION" | "KEYWORD_FEMALE_GENDERED_DISINFORMATION" | "KEYWORD_GEOGRAPHIC_INDICATIONS_INFRINGEMENT" | "KEYWORD_GEOGRAPHICAL_REQUIREMENTS" | "KEYWORD_GOODS_SERVICES_NOT_PERMITTED" | "KEYWORD_GROOMING_SEXUAL_ENTICEMENT_MINORS" | "KEYWORD_HATE_SPEECH" | "KEYWORD_HIDDEN_ADVERTISEMENT" | "KEYWORD_HUMAN_EXPLOITATION" | "KEYWORD_HUMAN_TRAFFICKING" | "KEYWORD_ILLEGAL_ORGANIZATIONS" | "KEYWORD_IMPERSONATION_ACCOUNT_HIJACKING" | "KEYWORD_INAUTHENTIC_ACCOUNTS" | "KEYWORD_INAUTHENTIC_LISTINGS" | "KEYWORD_INAUTHENTIC_USER_REVIEWS" | "KEYWORD_INCITEMENT_AGAINST_WOMEN" | "KEYWORD_INCITEMENT_VIOLENCE_HATRED" | "KEYWORD_INSUFFICIENT_INFORMATION_ON_TRADERS" | "KEYWORD_LANGUAGE_REQUIREMENTS" | "KEYWORD_MISLEADING_INFO_CONSUMER_RIGHTS" | "KEYWORD_MISLEADING_INFO_GOODS_SERVICES" | "KEYWORD_MISSING_PROCESSING_GROUND" | "KEYWORD_NON_CONSENSUAL_IMAGE_SHARING" | "KEYWORD_NON_CONSENSUAL_IMAGE_SHARING_AGAINST_WOMEN" | "KEYWORD_NON_CONSENSUAL_MATERIAL_DEEPFAKE" | "KEYWORD_NON_CONSENSUAL_MATERIAL_DEEPFAKE_AGAINST_WOMEN" | "KEYWORD_NONCOMPLIANCE_PRICING" | "KEYWORD_NUDITY" | "KEYWORD_PATENT_INFRINGEMENT" | "KEYWORD_PHISHING" | "KEYWORD_PROHIBITED_PRODUCTS" | "KEYWORD_PYRAMID_SCHEMES" | "KEYWORD_RIGHT_TO_BE_FORGOTTEN" | "KEYWORD_OTHER" | "KEYWORD_RISK_ENVIRONMENTAL_DAMAGE" | "KEYWORD_RISK_PUBLIC_HEALTH" | "KEYWORD_SELF_MUTILATION" | "KEYWORD_STALKING" | "KEYWORD_SUICIDE" | "KEYWORD_TERRORIST_CONTENT" | "KEYWORD_TRADE_SECRET_INFRINGEMENT" | "KEYWORD_TRADEMARK_INFRINGEMENT" | "KEYWORD_TRAFFICKING_WOMEN_GIRLS" | "KEYWORD_UNLAWFUL_SALE_ANIMALS" | "KEYWORD_UNSAFE_CHALLENGES" | "KEYWORD_UNSAFE_PRODUCTS" | "KEYWORD_VIOLATION_EU_LAW" | "KEYWORD_VIOLATION_NATIONAL_LAW")[];
        category_specification_other?: string;
        territorial_scope?: ("AT" | "BE" | "BG" | "CY" | "CZ" | "DE" | "DK" | "EE" | "ES" | "FI" | "FR" | "GR" | "HR" | "HU" | "IE" | "IS" | "IT" | "LI" | "LT" | "LU" | "LV" | "MT" | "NL" | "NO" | "PL" | "PT" | "RO" | "SE" | "SI" | "SK")[];
        content_language?: string;
        content_date?: string;
        application_date?: string;
        end_date_visibility_restriction?: string;
        end_date_monetary_restriction?: string;
        end_date_service_restriction?: string;
        end_date_account_restriction?: string;
        decision_facts?: string;
        source_type?: "SOURCE_ARTICLE_16" | "SOURCE_TRUSTED_FLAGGER" | "SOURCE_TYPE_OTHER_NOTIFICATION" | "SOURCE_VOLUNTARY";
        source_identity?: string;
        automated_detection?: "Yes" | "No";
        automated_decision?: "AUTOMATED_DECISION_FULLY" | "AUTOMATED_DECISION_PARTIALLY" | "AUTOMATED_DECISION_NOT_AUTOMATED";
        puid?: string;
        content_id?: {
          "EAN-13": string;
        };
      };
      rules: {
        scope: string;
        id: string;
        version: string;
        title: string;
        words: string[];
      }[];
      redress: string;
      stated_reason: "right_reason" | "other_rule" | "no_rule_supports" | "unknown_rule" | "undetermined" | "unstated";
      language: {
        content: string | null;
        account: string | null;
      };
      missing: {
        field: string;
        reason: "not_recorded" | "not_configured" | "no_rule_cited" | "under_review" | "invalid" | "personal_data" | "withheld";
      }[];
      notes: ("indefensible" | "ambiguous" | "verdicts_differ" | "other_reason" | "default_category" | "text_removed" | "text_cut" | "retroactive_rule" | "overturned")[];
      personal_data: "none_found" | "check";
    };
  };
  /** How many items wait, are claimed and are done. A claim that has run out waits again. */
  "GET /v1/queue": {
    answer: {
      items: {
        state: string;
        n: number;
        oldest_seconds: number;
      }[];
    };
  };
  /** Items that wait for a reviewer, without content. */
  "GET /v1/queue/items": {
    query?: {
      limit?: number;
      cursor?: string;
    };
    answer: {
      items: {
        item_id: number;
        decision_id: string;
        community: string;
        reasons: string[];
        created_at: string;
      }[];
      next_cursor: string | null;
    };
  };
  /** Claims items for ten minutes. No item is given to two people. */
  "POST /v1/queue/claim": {
    body: {
      n?: number;
      communities?: string[];
      item_id?: number;
    };
    answer: {
      items: {
        item_id: number;
        decision_id: string;
        community: string;
        reasons: string[];
        created_at: string;
        claim: string;
      }[];
    };
  };
  /** Holds a claim for ten minutes from now. */
  "POST /v1/items/{id}/renew": {
    params: {
      id: number;
    };
    body: {
      claim: string;
    };
    answer: {
      item_id: number;
      state: "claimed";
    };
  };
  /** Gives a claimed item back. */
  "POST /v1/items/{id}/release": {
    params: {
      id: number;
    };
    body: {
      claim: string;
      skip?: boolean;
    };
    answer: {
      item_id: number;
      state: "open";
    };
  };
  /** The reviewer's answer. It becomes an outcome, and a label that knows how its case was drawn. */
  "POST /v1/items/{id}/decision": {
    params: {
      id: number;
    };
    body: {
      claim: string;
      outcome: "uphold" | "overturn";
      level?: 1 | 2 | 3;
      inverse?: boolean;
      rule_ids?: string[];
      note?: string;
      seconds?: number;
      saw_audit: boolean;
    };
    answer: {
      review_id: number;
    };
  };
  /** Reviews, newest first. `mine=true`: only those of the caller. */
  "GET /v1/reviews": {
    query?: {
      limit?: number;
      cursor?: string;
      mine?: string;
    };
    answer: {
      items: Review[];
      next_cursor: string | null;
    };
  };
  /** Undoes a review of one's own by another that names it. */
  "POST /v1/reviews/{id}/correction": {
    params: {
      id: number;
    };
    body: JudgementInput;
    answer: {
      review_id: number;
    };
  };
  /** Files an appeal against a decision. From then on its route is `review`. */
  "POST /v1/appeals": {
    body: {
      decision_id: string;
      filed_at?: string;
      filed_by?: string;
      text?: string;
    };
    answer: Appeal;
  };
  /** Appeals in the order in which they came. */
  "GET /v1/appeals": {
    query?: {
      limit?: number;
      cursor?: string;
      state?: "open" | "decided";
    };
    answer: {
      items: Appeal[];
      next_cursor: string | null;
    };
  };
  /** One appeal. */
  "GET /v1/appeals/{id}": {
    params: {
      id: number;
    };
    answer: Appeal;
  };
  /** Decides an appeal. Whoever made or reviewed the decision may not, nor while they have claimed its case. */
  "POST /v1/appeals/{id}/decision": {
    params: {
      id: number;
    };
    body: {
      outcome: "uphold" | "overturn";
      level?: 1 | 2 | 3;
      inverse?: boolean;
      rule_ids?: string[];
      note?: string;
      saw_audit: boolean;
    };
    answer: Appeal;
  };
  /** The active gate with its suspensions, without its secrets. The ETag is the epoch. */
  "GET /v1/gate": {
    answer: {
      epoch: number;
      closed: {
        since: string;
        reason: string;
      } | null;
      gate: Gate | null;
      in_force_since: string | null;
    };
  };
  /** Everything that happened to the gate, newest first: looks, closures, suspensions. */
  "GET /v1/gate/history": {
    query?: {
      limit?: number;
      cursor?: string;
    };
    answer: {
      items: {
        type: string;
        at: string;
        [key: string]: unknown;
      }[];
      next_cursor: string | null;
    };
  };
  /** Computes a gate with the workspace's settings, or others, and shows how it differs from the active one. Nothing changes. The look counts. */
  "POST /v1/gate/preview": {
    body: {
      mode?: "paper" | "shrunk" | "certified";
      di?: number;
      ai?: number;
      min_decisions?: number;
      variable?: "ai" | "ai_pure";
      by?: ("community" | "decision" | "rule" | "language")[];
      harm?: number;
      risk?: number;
      delta?: number;
      q?: number;
      thread_cap?: number;
      window_days?: number;
      since?: string;
      period?: "month" | "quarter" | "year";
      apply?: "by_hand" | "scheduled";
      run?: string;
      adjust?: "holm" | "bh" | "by" | "fixed_sequence";
      judge_error?: boolean;
    };
    answer: PreviewedGate;
  };
  /** Activates a gate that was previewed. `If-Match` has the epoch that was looked at. */
  "POST /v1/gate/apply": {
    body: {
      reason: string;
      gate_id: string;
    };
    answer: PreviewedGate;
  };
  /** The kill switch: nothing is automated from here on, on any node. Gates that are closed keep their first reason. */
  "POST /v1/gate/close": {
    body: {
      reason: string;
    };
    answer: {
      epoch: number;
      closed: {
        since: string;
        reason: string;
      } | null;
    };
  };
  /** Opens the gates again. */
  "POST /v1/gate/open": {
    body: {
      reason: string;
    };
    answer: {
      epoch: number;
      closed: null;
    };
  };
  /** Suspends a community, or one cohort of it, until a person ends the suspension. */
  "POST /v1/gate/suspensions": {
    body: {
      reason: string;
      community: string;
    };
    answer: {
      epoch: number;
      suspended: string[];
    };
  };
  /** Ends the suspension of a cohort. */
  "DELETE /v1/gate/suspensions/{community}": {
    params: {
      community: string;
    };
    query: {
      reason: string;
    };
    answer: {
      epoch: number;
    };
  };
  /** Labels in the order in which they came, each with how its decision was drawn. */
  "GET /v1/labels": {
    query?: {
      limit?: number;
      cursor?: string;
      decision_id?: string;
      drawn?: "random" | "sheet" | "review" | "queue" | "appeal" | "convenience" | "unknown";
    };
    answer: {
      items: Label[];
      next_cursor: string | null;
    };
  };
  /** Keeps a label, or a stream of them as JSON lines, with `drawn`, `inclusion`, `stratum` and `frame` as files have them. Labels without a design certify nothing. */
  "POST /v1/labels": {
    body: Label;
    lines: true;
    answer: Received;
  };
  /** Rule sets in the order in which they came, all versions. */
  "GET /v1/rules": {
    query?: {
      limit?: number;
      cursor?: string;
    };
    answer: {
      items: {
        name: string;
        set: RuleSet;
      }[];
      next_cursor: string | null;
    };
  };
  /** One version of a rule set. */
  "GET /v1/rules/{scope}/{community}/{version}": {
    params: {
      scope: "platform" | "community";
      community: string;
      version: string;
    };
    answer: {
      name: string;
      set: RuleSet;
    };
  };
  /** Adds a version of a rule set: 201. The same again: 200. A version is never changed: 409. */
  "PUT /v1/rules/{scope}/{community}/{version}": {
    params: {
      scope: "platform" | "community";
      community: string;
      version: string;
    };
    body: RuleSet;
    answer: {
      name: string;
      set: RuleSet;
    };
  };
  /** Runs, newest first. */
  "GET /v1/runs": {
    query?: {
      limit?: number;
      cursor?: string;
    };
    answer: {
      items: Run[];
      next_cursor: string | null;
    };
  };
  /** One run: what it was made with, and how far it has come. */
  "GET /v1/runs/{id}": {
    params: {
      id: string;
    };
    answer: Run;
  };
  /** Audits of a run in the order in which they were written, without those of cases that the caller has claimed. Traces need the scope `content:read`. */
  "GET /v1/runs/{id}/audits": {
    params: {
      id: string;
    };
    query?: {
      limit?: number;
      cursor?: string;
    };
    answer: {
      items: Audit[];
      next_cursor: string | null;
    };
  };
  /** The report of a run, as a page. While it is being made the page says so, with 202. 403 with code `answer_first` while the caller has claimed a case, 409 with `experiment_run` for a run of an experiment. */
  "GET /v1/runs/{id}/report": {
    params: {
      id: string;
    };
    answer: string;
  };
  /** What waits, runs and has failed for good, by task. */
  "GET /v1/jobs": {
    answer: {
      items: {
        task: string;
        waiting: number;
        running: number;
        dead: number;
        oldest_seconds: number;
      }[];
    };
  };
  /** Keys, without their secrets. */
  "GET /v1/keys": {
    query?: {
      limit?: number;
      cursor?: string;
    };
    answer: {
      items: {
        key_id: string;
        name: string;
        scopes: string[];
        created_at: string;
        expires_at: string | null;
        revoked_at: string | null;
      }[];
      next_cursor: string | null;
    };
  };
  /** Makes a key. It is shown once. */
  "POST /v1/keys": {
    body: {
      name: string;
      scopes: ("route:ask" | "decisions:write" | "decisions:read" | "content:read" | "audits:read" | "audits:write" | "gate:read" | "gate:close" | "gate:write" | "reviews:read" | "reviews:write" | "labels:read" | "labels:write" | "appeals:read" | "appeals:write" | "rules:read" | "rules:write" | "reports:read" | "jobs:read" | "erase" | "admin")[];
      days?: number;
    };
    answer: {
      key_id: string;
      key: string;
    };
  };
  /** Revokes a key. Every node refuses it within two seconds. */
  "DELETE /v1/keys/{id}": {
    params: {
      id: string;
    };
    answer: {
      key_id: string;
      revoked: true;
    };
  };
  /** Who did what, newest first. */
  "GET /v1/activity": {
    query?: {
      limit?: number;
      cursor?: string;
    };
    answer: {
      items: {
        seq: number;
        at: string;
        actor: string;
        action: string;
        subject: string;
        doc: Record<string, unknown> | null;
      }[];
      next_cursor: string | null;
    };
  };
  /** Server-sent events `hint`: something of a subject may have changed. They carry no content; fetch what you show. `all`: events were missed. */
  "GET /v1/events": {
    answer: {
      subject: "gate" | "queue" | "appeals" | "page" | "all";
    };
  };
  /** Webhooks, without their secrets. */
  "GET /v1/webhooks": {
    answer: {
      items: {
        webhook_id: string;
        url: string;
        events: string[];
        created_at: string;
        failures: number;
        failing_since: string | null;
        disabled_at: string | null;
      }[];
    };
  };
  /** Makes a webhook (Standard Webhooks). Its secret is shown once. */
  "POST /v1/webhooks": {
    body: {
      url: string;
      events: ("audit.completed" | "route.decided" | "gate.applied" | "gate.suspended" | "gate.reinstated" | "gate.closed" | "gate.opened" | "review.completed" | "appeal.decided")[];
      secret?: string;
    };
    answer: {
      webhook_id: string;
      url: string;
      events: string[];
      created_at: string;
      failures: number;
      failing_since: string | null;
      disabled_at: string | null;
      secret: string;
    };
  };
  /** Changes what is given: address, events, `enabled`. */
  "PUT /v1/webhooks/{id}": {
    params: {
      id: string;
    };
    body: {
      url?: string;
      events?: ("audit.completed" | "route.decided" | "gate.applied" | "gate.suspended" | "gate.reinstated" | "gate.closed" | "gate.opened" | "review.completed" | "appeal.decided")[];
      enabled?: boolean;
    };
    answer: {
      webhook_id: string;
      url: string;
      events: string[];
      created_at: string;
      failures: number;
      failing_since: string | null;
      disabled_at: string | null;
    };
  };
  /** Deletes a webhook. What waits for it is not delivered. */
  "DELETE /v1/webhooks/{id}": {
    params: {
      id: string;
    };
    answer: {
      webhook_id: string;
      deleted: true;
    };
  };
  /** Replaces the secret. Both sign for `hours`. The new one is shown once. */
  "POST /v1/webhooks/{id}/secret": {
    params: {
      id: string;
    };
    body: {
      secret?: string;
      hours?: number;
    };
    answer: {
      webhook_id: string;
      secret: string;
    };
  };
  /** Sends `webhook.test` now. `fault` is null where it was taken. */
  "POST /v1/webhooks/{id}/test": {
    params: {
      id: string;
    };
    answer: {
      status: number | null;
      fault: string | null;
      ms: number;
    };
  };
  /** Attempts to deliver, newest first. The words of the receiver's answers are not kept. */
  "GET /v1/webhooks/{id}/deliveries": {
    params: {
      id: string;
    };
    query?: {
      limit?: number;
      cursor?: string;
    };
    answer: {
      items: {
        delivery_id: number;
        event_id: string;
        attempt: number;
        status: number | null;
        fault: string | null;
        ms: number;
        at: string;
      }[];
      next_cursor: string | null;
    };
  };
  /** What another system gave, such as a webhook of Coop: one object or a list. Its decisions are kept and audited; everything else is named in the answer. */
  "POST /v1/in/{system}": {
    params: {
      system: "coop" | "ozone" | "reddit" | "mastodon" | "lemmy" | "discourse" | "safeguard" | "openai-moderation" | "promptfoo" | "inspect";
    };
    query?: {
      community?: string;
      value?: string | string[];
    };
    body: Record<string, unknown> | Record<string, unknown>[];
    answer: {
      decisions: Received[];
      rejected: {
        at: number;
        field: string;
        reason: string;
      }[];
      left_out: {
        code: string;
        [key: string]: unknown;
      }[];
      not_kept: {
        rule_sets: number;
        outcomes: number;
        review_items: number;
      };
    };
  };
  /** Who is signed in, and what they may do. */
  "GET /v1/me": {
    answer: {
      workspace: string;
      platform: string | null;
      name: string;
      role: ("viewer" | "reviewer" | "policy" | "admin") | null;
      scopes: ("route:ask" | "decisions:write" | "decisions:read" | "content:read" | "audits:read" | "audits:write" | "gate:read" | "gate:close" | "gate:write" | "reviews:read" | "reviews:write" | "labels:read" | "labels:write" | "appeals:read" | "appeals:write" | "rules:read" | "rules:write" | "reports:read" | "jobs:read" | "erase" | "admin")[];
      settings: {
        blur: boolean;
        greyscale: boolean;
        break_minutes: number | null;
      };
      review: {
        gold_rate: number;
        break_minutes: number;
      };
    };
  };
  /** How content is shown to the person who is signed in, and when they are reminded of a break. */
  "PUT /v1/me/settings": {
    body: {
      blur: boolean;
      greyscale: boolean;
      break_minutes: number | null;
    };
    answer: {
      blur: boolean;
      greyscale: boolean;
      break_minutes: number | null;
    };
  };
  /** The data of the report of the live run, without its single decisions. The ETag changes with it and with what the caller has claimed. */
  "GET /v1/page": {
    answer: {
      mark: string;
      made_at: string;
      listed: number;
      page: Record<string, unknown>;
    };
  };
  /** Decisions of the report, most urgent first, by filters. Content needs the scope `content:read`. */
  "GET /v1/page/decisions": {
    query?: {
      limit?: number;
      cursor?: string;
      community?: string;
      decision?: string;
      level?: string;
      inverse?: string;
      agreement?: string;
      reason?: string;
      flag?: string;
      judged?: string;
      rule?: string;
      search?: string;
      order?: "urgent" | "newest";
    };
    answer: {
      mark?: string;
      items: {
        id: string;
        community: string;
        decision: string;
        [key: string]: unknown;
      }[];
      precedents: Record<string, unknown>[];
      next_cursor: string | null;
      total: number;
      listed: number;
      facets: Record<string, [string, number][]>;
    };
  };
  /** One decision of the report, with everything that the report knows of it. */
  "GET /v1/page/decisions/{id}": {
    params: {
      id: string;
    };
    answer: {
      decision: {
        id: string;
        community: string;
        decision: string;
        [key: string]: unknown;
      };
      precedents: Record<string, unknown>[];
    };
  };
  /** The report as one HTML file that needs no server. 403 with code `answer_first` while the caller has claimed a case. */
  "GET /v1/report": {
    answer: string;
  };
  /** What is routed now: decisions of the last minutes, each by its newest route, the newest routes, and what waits. */
  "GET /v1/live": {
    answer: {
      now: string;
      minutes: number;
      step: number;
      steps: {
        at: number;
        automated: number;
        review: number;
      }[];
      last_minute: number;
      latest: {
        seq: number;
        at: string;
        decision_id: string | null;
        community: string | null;
        route: string;
        reasons: string[];
        pending: boolean;
      }[];
      reviews: {
        state: string;
        n: number;
        oldest_seconds: number;
      }[];
      audits_waiting: number;
      closed: {
        since: string;
        reason: string;
      } | null;
    };
  };
  /** What waits for review and is claimed, by community and reason. */
  "GET /v1/queue/summary": {
    answer: {
      items: {
        community: string;
        reason: string | null;
        waiting: number;
        claimed: number;
        oldest_seconds: number;
      }[];
    };
  };
  /** Items that the caller has claimed. */
  "GET /v1/queue/mine": {
    answer: {
      items: {
        item_id: number;
        decision_id: string;
        community: string;
        reasons: string[];
        created_at: string;
        state: string;
        claim: string | null;
        claim_by: string | null;
        claim_seconds: number | null;
      }[];
    };
  };
  /** A case: content, which needs the scope `content:read`, and the rules in force. What the audit says is not in it. */
  "GET /v1/items/{id}": {
    params: {
      id: number;
    };
    answer: {
      audited: boolean;
      decision: {
        id: string;
        community: string;
        decision: string;
        [key: string]: unknown;
      };
      rule_sets: Record<string, unknown>[];
      item: {
        item_id: number;
        decision_id: string;
        community: string;
        reasons: string[];
        created_at: string;
        state: string;
        claim: string | null;
        claim_by: string | null;
        claim_seconds: number | null;
      };
    };
  };
  /** What the audit says of a case, once the caller has answered it. That it was shown is noted. */
  "POST /v1/items/{id}/audit": {
    params: {
      id: number;
    };
    answer: {
      audited: boolean;
      decision: {
        id: string;
        community: string;
        decision: string;
        [key: string]: unknown;
      };
      rule_sets: Record<string, unknown>[];
      item: {
        item_id: number;
        decision_id: string;
        community: string;
        reasons: string[];
        created_at: string;
        state: string;
        claim: string | null;
        claim_by: string | null;
        claim_seconds: number | null;
      };
    };
  };
  /** The case of an appeal: the appeal, content, which needs the scope `content:read`, the rules in force, and whether the caller may decide it. */
  "GET /v1/appeals/{id}/case": {
    params: {
      id: number;
    };
    answer: {
      audited: boolean;
      decision: {
        id: string;
        community: string;
        decision: string;
        [key: string]: unknown;
      };
      rule_sets: Record<string, unknown>[];
      appeal: Appeal;
      may_decide: boolean;
    };
  };
  /** What the audit says of the case of an appeal, unless the caller has claimed it. That it was shown is noted. */
  "POST /v1/appeals/{id}/audit": {
    params: {
      id: number;
    };
    answer: {
      audited: boolean;
      decision: {
        id: string;
        community: string;
        decision: string;
        [key: string]: unknown;
      };
      rule_sets: Record<string, unknown>[];
      appeal: Appeal;
    };
  };
  /** How far reviewers agree with known answers and with each other. Speed is not measured. */
  "GET /v1/reviewers": {
    answer: {
      items: {
        reviewer: string;
        reviews: number;
        overturned: number;
        gold: {
          k: number;
          n: number;
          share: number | null;
          lower: number | null;
          upper: number | null;
        };
        gold_level: {
          k: number;
          n: number;
          share: number | null;
          lower: number | null;
          upper: number | null;
        };
        peers: {
          k: number;
          n: number;
          share: number | null;
          lower: number | null;
          upper: number | null;
        };
      }[];
    };
  };
  /** Share of items with a known answer, and when reviewers are reminded of a break. */
  "PUT /v1/review-settings": {
    body: {
      gold_rate: number;
      break_minutes: number;
    };
    answer: {
      gold_rate: number;
      break_minutes: number;
    };
  };
  /** Erases what people wrote in a decision, everywhere in the database. Ids, numbers and the log stay. */
  "DELETE /v1/decisions/{id}/content": {
    params: {
      id: string;
    };
    query: {
      reason: string;
    };
    answer: {
      decision_id: string;
      erased: true;
    };
  };
  /** After how many days contents are erased; null: never. */
  "GET /v1/retention": {
    answer: {
      content_days: number | null;
    };
  };
  /** Sets after how many days contents are erased; null: never. A job of the workers applies it each hour. */
  "PUT /v1/retention": {
    body: {
      content_days: number | null;
    };
    answer: {
      content_days: number | null;
    };
  };
}

export type JudgementInput = {
  outcome: "uphold" | "overturn";
  level?: 1 | 2 | 3;
  inverse?: boolean;
  rule_ids?: string[];
  note?: string;
  seconds?: number;
  saw_audit: boolean;
};

export type SentAuditInput = {
  run_id: string;
  decision_id: string;
  arm: string;
  replicate: number;
  community: string;
  auditor: string;
  auditor_version?: string | null;
  prompt_version?: string | null;
  template: "paper" | "guided" | "extended";
  ruleset_version?: string | null;
  tier: "title" | "sidebar" | "wiki";
  temperature: number;
  signal: "logprobs" | "sampling" | "none";
  missing?: ("floor" | "paper") | null;
  outcome: "verdict" | "unscored" | "error";
  error?: {
    code: string;
    message: string;
    [key: string]: unknown;
  } | null;
  decision: string;
  human_label?: string | null;
  thread_id?: string | null;
  language?: string | null;
  decided_at?: string | null;
  trace?: {
    logic_chain?: string | null;
    policy_citation?: string | null;
    precedent_weight?: ("High" | "Medium" | "Low") | null;
    inverse_check?: ("Yes" | "No") | null;
    inverse_citation?: string | null;
    defensibility_level?: (1 | 2 | 3) | null;
    level3_reason?: ("no_rule" | "complies_with_cited_rule" | "concept_absent") | null;
  } | null;
  level?: (1 | 2 | 3) | null;
  inverse?: boolean | null;
  level_probs?: [number, number, number] | null;
  level_map?: (1 | 2 | 3) | null;
  lambda_nats?: number | null;
  h_weight_bits?: number | null;
  h_citation_bits?: number | null;
  h_citation_sampled_bits?: number | null;
  citation_tokens?: number | null;
  citation_spans?: [string, number][] | null;
  entropy_support?: ("top_k" | "vocab") | null;
  inverse_log_odds?: number | null;
  inverse_yes_prob?: number | null;
  pds?: number | null;
  p_defensible?: number | null;
  p_calibrated?: number | null;
  calibration_id?: string | null;
  label_mass?: {
    level?: number | null;
    weight?: number | null;
    inverse?: number | null;
  } | null;
  tail_mass?: number | null;
  logprob_space?: ("raw" | "tempered" | "unknown") | null;
  samples?: number | null;
  se?: Record<string, number> | null;
  sensitivity?: (Record<string, number | null>) | null;
  flags: ("no_signal" | "low_mass" | "censored" | "tie" | "uncalibrated" | "foreign_calibration" | "fallback_span" | "injection_suspected" | "unknown_space" | "cached" | "same_family" | "no_rules" | "no_community_rules" | "precedents_cut" | "content_cut" | "language_not_in_precedents" | "unseen_media" | "retroactive_rule")[];
  citation?: {
    scope: "platform" | "community" | "precedent" | "mixed" | "none";
    rule_id: string | null;
    overlap: number | null;
    grounded: boolean;
  } | null;
  inverse_citation?: {
    scope: "platform" | "community" | "precedent" | "mixed" | "none";
    rule_id: string | null;
    overlap: number | null;
    grounded: boolean;
  } | null;
  prompt?: {
    precedents_used: string[] | null;
    precedents_left_out: number;
    content_cut: number;
    scrubbed: Record<string, string> | null;
  } | null;
  read?: {
    content: string;
    rules: string;
    precedents: string;
  } | null;
  usage?: {
    input_tokens: number | null;
    cached_input_tokens: number | null;
    output_tokens: number | null;
    cost_usd: number | null;
  } | null;
  latency_ms?: number | null;
  attempts: number;
  created_at: string;
  [key: string]: unknown;
};

export type Appeal = {
  appeal_id: number;
  decision_id: string;
  community: string;
  state: "open" | "decided";
  filed_at: string;
  filed_by: string | null;
  text: string | null;
  reviewer: string | null;
  outcome: ("uphold" | "overturn") | null;
  level: (1 | 2 | 3) | null;
  inverse: string | null;
  note: string | null;
  rule_ids: string[];
  saw_audit: boolean | null;
  decided_at: string | null;
};

export type AskedDecision = {
  id: string;
  community: string;
  content: string | {
    title?: string | null;
    body: string;
    kind?: string | null;
    language?: string | null;
    context?: string[] | null;
    url?: string | null;
    media?: unknown[] | null;
    [key: string]: unknown;
  };
  decision: string;
  human_label?: string | null;
  decider?: {
    kind?: ("model" | "human" | "rule") | null;
    id?: string | null;
    confidence?: number | null;
    replicates?: Record<string, number> | null;
    [key: string]: unknown;
  } | null;
  rationale?: string | null;
  cited_rule?: string | null;
  decided_at?: string | null;
  ruleset_version?: string | null;
  thread_id?: string | null;
  appeal?: {
    filed_at?: string | null;
    text?: string | null;
    outcome?: ("upheld" | "overturned" | "pending") | null;
    [key: string]: unknown;
  } | null;
  gold?: {
    level: 1 | 2 | 3;
    inverse: boolean;
    rule_ids: string[];
    note?: string | null;
    [key: string]: unknown;
  } | null;
  tags?: string[] | null;
  author?: string | null;
  erased?: boolean | null;
  audit?: SentAudit;
  [key: string]: unknown;
};

export type Audit = {
  run_id?: string;
  decision_id?: string;
  arm?: string;
  replicate?: number;
  community?: string;
  auditor?: string;
  auditor_version?: string | null;
  prompt_version?: string | null;
  template?: "paper" | "guided" | "extended";
  ruleset_version?: string | null;
  tier?: "title" | "sidebar" | "wiki";
  temperature?: number;
  signal?: "logprobs" | "sampling" | "none";
  missing?: ("floor" | "paper") | null;
  outcome?: "verdict" | "unscored" | "error";
  error?: {
    code: string;
    message: string;
    [key: string]: unknown;
  } | null;
  decision?: string;
  human_label?: string | null;
  thread_id?: string | null;
  language?: string | null;
  decided_at?: string | null;
  trace?: {
    logic_chain?: string | null;
    policy_citation?: string | null;
    precedent_weight?: ("High" | "Medium" | "Low") | null;
    inverse_check?: ("Yes" | "No") | null;
    inverse_citation?: string | null;
    defensibility_level?: (1 | 2 | 3) | null;
    level3_reason?: ("no_rule" | "complies_with_cited_rule" | "concept_absent") | null;
  } | null;
  level?: (1 | 2 | 3) | null;
  inverse?: boolean | null;
  level_probs?: [number, number, number] | null;
  level_map?: (1 | 2 | 3) | null;
  lambda_nats?: number | null;
  h_weight_bits?: number | null;
  h_citation_bits?: number | null;
  h_citation_sampled_bits?: number | null;
  citation_tokens?: number | null;
  citation_spans?: [string, number][] | null;
  entropy_support?: ("top_k" | "vocab") | null;
  inverse_log_odds?: number | null;
  inverse_yes_prob?: number | null;
  pds?: number | null;
  p_defensible?: number | null;
  p_calibrated?: number | null;
  calibration_id?: string | null;
  label_mass?: {
    level?: number | null;
    weight?: number | null;
    inverse?: number | null;
  } | null;
  tail_mass?: number | null;
  logprob_space?: ("raw" | "tempered" | "unknown") | null;
  samples?: number | null;
  se?: Record<string, number> | null;
  sensitivity?: (Record<string, number | null>) | null;
  flags?: ("no_signal" | "low_mass" | "censored" | "tie" | "uncalibrated" | "foreign_calibration" | "fallback_span" | "injection_suspected" | "unknown_space" | "cached" | "same_family" | "no_rules" | "no_community_rules" | "precedents_cut" | "content_cut" | "language_not_in_precedents" | "unseen_media" | "retroactive_rule")[];
  citation?: {
    scope: "platform" | "community" | "precedent" | "mixed" | "none";
    rule_id: string | null;
    overlap: number | null;
    grounded: boolean;
  } | null;
  inverse_citation?: {
    scope: "platform" | "community" | "precedent" | "mixed" | "none";
    rule_id: string | null;
    overlap: number | null;
    grounded: boolean;
  } | null;
  prompt?: {
    precedents_used: string[] | null;
    precedents_left_out: number;
    content_cut: number;
    scrubbed: Record<string, string> | null;
  } | null;
  read?: {
    content: string;
    rules: string;
    precedents: string;
  } | null;
  usage?: {
    input_tokens: number | null;
    cached_input_tokens: number | null;
    output_tokens: number | null;
    cost_usd: number | null;
  } | null;
  latency_ms?: number | null;
  attempts?: number;
  created_at?: string;
  [key: string]: unknown;
};

export type Decision = {
  id: string;
  community: string;
  content: string | {
    title?: string | null;
    body: string;
    kind?: string | null;
    language?: string | null;
    context?: string[] | null;
    url?: string | null;
    media?: unknown[] | null;
    [key: string]: unknown;
  };
  decision: string;
  human_label?: string | null;
  decider?: {
    kind?: ("model" | "human" | "rule") | null;
    id?: string | null;
    confidence?: number | null;
    replicates?: Record<string, number> | null;
    [key: string]: unknown;
  } | null;
  rationale?: string | null;
  cited_rule?: string | null;
  decided_at?: string | null;
  ruleset_version?: string | null;
  thread_id?: string | null;
  appeal?: {
    filed_at?: string | null;
    text?: string | null;
    outcome?: ("upheld" | "overturned" | "pending") | null;
    [key: string]: unknown;
  } | null;
  gold?: {
    level: 1 | 2 | 3;
    inverse: boolean;
    rule_ids: string[];
    note?: string | null;
    [key: string]: unknown;
  } | null;
  tags?: string[] | null;
  author?: string | null;
  erased?: boolean | null;
  [key: string]: unknown;
};

export type Gate = {
  mode: "paper" | "shrunk" | "certified";
  thresholds: {
    di: number;
    ai: number;
    min_decisions: number;
    harm?: number;
  };
  fleet: {
    name: string;
    di: number;
    ai: number;
    passing: number;
    community_coverage: number | null;
    decision_coverage_eligible: number | null;
    decision_coverage_all: number | null;
    fleet_di: number | null;
    fleet_ai: number | null;
    base_indefensible_rate: number | null;
    automated_indefensible_rate: number | null;
    exposure_reduction: number | null;
    conditional_risk_reduction: number | null;
    random_gate_baseline: number | null;
    [key: string]: unknown;
  };
  scenarios: {
    name: string;
    di: number;
    ai: number;
    passing: number;
    community_coverage: number | null;
    decision_coverage_eligible: number | null;
    decision_coverage_all: number | null;
    fleet_di: number | null;
    fleet_ai: number | null;
    base_indefensible_rate: number | null;
    automated_indefensible_rate: number | null;
    exposure_reduction: number | null;
    conditional_risk_reduction: number | null;
    random_gate_baseline: number | null;
    [key: string]: unknown;
  }[];
  communities: {
    community: string;
    n: number;
    indefensible: number;
    inverse_yes: number;
    di: number | null;
    ai: number | null;
    state: "earned_autonomy" | "policy_gaps" | "normative_complexity" | "insufficient";
    suspended: {
      since: string;
      reason: string;
      after?: string | null;
      by?: "reviews" | "hand";
    } | null;
    passes: {
      paper: boolean;
      shrunk: boolean;
      certified: boolean;
    };
    more_decisions_needed: number | null;
    harm?: {
      mean: number | null;
      lower: number | null;
      upper: number | null;
      limit: number;
      passes: {
        paper: boolean;
        shrunk: boolean;
        certified: boolean;
      };
      [key: string]: unknown;
    };
    ruleset_versions?: string[];
    [key: string]: unknown;
  }[];
  format?: 1;
  gate_id?: string;
  created_at?: string;
  by?: ("community" | "decision" | "rule" | "language")[];
  evidence?: {
    run_id: string | null;
    auditor: string | null;
    auditor_version: string | null;
    prompt_version: string | null;
    template: string | null;
    signal: string | null;
    tier: string | null;
    missing?: string | null;
    [key: string]: unknown;
  };
  selective?: {
    threshold: number | null;
    reason: string | null;
    by_community: unknown;
    withheld?: string[];
    score: "p_calibrated" | "p_defensible";
    calibration_id: string | null;
    calibration_hash?: string | null;
    method: string;
    risk: number;
    delta: number;
    n: number;
    by_decision?: {
      restricting: {
        threshold: number | null;
        reason: string | null;
        by_community: unknown;
        withheld?: string[];
        [key: string]: unknown;
      };
      other: {
        threshold: number | null;
        reason: string | null;
        by_community: unknown;
        withheld?: string[];
        [key: string]: unknown;
      };
    } | null;
    [key: string]: unknown;
  } | null;
  review_share?: number;
  variable?: "ai" | "ai_pure";
  delta?: number;
  q?: number;
  risk?: number;
  adjust?: string;
  look?: "once" | "anytime";
  look_reason?: string;
  harm?: {
    limit: number;
    max: number;
    actions: Record<string, number>;
    rules: {
      scope: "platform" | "community";
      community: string | null;
      rule_id: string;
      harm: number;
    }[];
    [key: string]: unknown;
  };
  thread_cap?: number;
  threads?: Record<string, unknown>;
  judge_error_required?: boolean;
  label_counts?: {
    key: string;
    labels: number;
    indefensible: number;
    cells?: {
      weight: number;
      labels: number;
      indefensible: number;
    }[];
  }[];
  methods?: Record<string, string>;
  run?: {
    run_id: string | null;
    source: string | null;
    [key: string]: unknown;
  };
  span?: {
    window_days: number | null;
    since: string | null;
    from: string;
    to: string;
    runs: string[];
    [key: string]: unknown;
  };
  data?: string;
  by_mode?: Record<string, {
    name: string;
    di: number;
    ai: number;
    passing: number;
    community_coverage: number | null;
    decision_coverage_eligible: number | null;
    decision_coverage_all: number | null;
    fleet_di: number | null;
    fleet_ai: number | null;
    base_indefensible_rate: number | null;
    automated_indefensible_rate: number | null;
    exposure_reduction: number | null;
    conditional_risk_reduction: number | null;
    random_gate_baseline: number | null;
    [key: string]: unknown;
  }>;
  states?: {
    state: "earned_autonomy" | "policy_gaps" | "normative_complexity" | "insufficient";
    communities: number;
    [key: string]: unknown;
  }[];
  binding?: Record<string, unknown>;
  frontier?: Record<string, unknown> | null;
  score_frontier?: Record<string, unknown> | null;
  selection?: Record<string, unknown> | null;
  slices?: Record<string, unknown> | null;
  judge_error?: Record<string, unknown> | null;
  flip_control?: {
    n: number;
    defensibility_index: {
      estimate: number;
      lower: number;
      upper: number;
      level: number;
      method: string;
      k?: number;
      n: number;
      cluster?: {
        lower: number;
        upper: number;
        method: string;
        clusters: number;
        effective_clusters?: number;
        design_effect: number | null;
      };
      worst_case?: {
        lower: number;
        upper: number;
      };
      warnings?: string[];
    } | {
      estimate: null;
      reason: string;
      n: number;
      worst_case?: {
        lower: number;
        upper: number;
      };
    };
    opposite_defensibility_index: {
      estimate: number;
      lower: number;
      upper: number;
      level: number;
      method: string;
      k?: number;
      n: number;
      cluster?: {
        lower: number;
        upper: number;
        method: string;
        clusters: number;
        effective_clusters?: number;
        design_effect: number | null;
      };
      worst_case?: {
        lower: number;
        upper: number;
      };
      warnings?: string[];
    } | {
      estimate: null;
      reason: string;
      n: number;
      worst_case?: {
        lower: number;
        upper: number;
      };
    };
    drop: {
      estimate: number;
      lower: number;
      upper: number;
      level: number;
      method: string;
      k?: number;
      n: number;
      cluster?: {
        lower: number;
        upper: number;
        method: string;
        clusters: number;
        effective_clusters?: number;
        design_effect: number | null;
      };
      worst_case?: {
        lower: number;
        upper: number;
      };
      warnings?: string[];
    } | {
      estimate: null;
      reason: string;
      n: number;
      worst_case?: {
        lower: number;
        upper: number;
      };
    };
    told_apart: {
      estimate: number;
      lower: number;
      upper: number;
      level: number;
      method: string;
      k?: number;
      n: number;
      cluster?: {
        lower: number;
        upper: number;
        method: string;
        clusters: number;
        effective_clusters?: number;
        design_effect: number | null;
      };
      worst_case?: {
        lower: number;
        upper: number;
      };
      warnings?: string[];
    } | {
      estimate: null;
      reason: string;
      n: number;
      worst_case?: {
        lower: number;
        upper: number;
      };
    };
    self_contradiction: {
      estimate: number;
      lower: number;
      upper: number;
      level: number;
      method: string;
      k?: number;
      n: number;
      cluster?: {
        lower: number;
        upper: number;
        method: string;
        clusters: number;
        effective_clusters?: number;
        design_effect: number | null;
      };
      worst_case?: {
        lower: number;
        upper: number;
      };
      warnings?: string[];
    } | {
      estimate: null;
      reason: string;
      n: number;
      worst_case?: {
        lower: number;
        upper: number;
      };
    };
    warnings: ("not_told_apart" | "self_contradiction")[];
  } | null;
  holdout?: Record<string, unknown> | null;
  watch?: Record<string, unknown> | null;
  realised_risk?: {
    as_of: string;
    delta: number;
    thread_cap: number;
    limit: number | null;
    frame: number;
    drawn: number;
    shares: number[];
    risk: {
      estimate: number | null;
      k: number;
      n: number;
      missing: number;
      open: number;
      threads: number;
      largest_thread: number;
      method: ("clopper_pearson" | "e_value") | null;
      upper: {
        once: number | null;
        anytime: number | null;
      };
      reason?: "no_reviews" | "no_levels" | "no_answers" | "reviews_open";
    };
    overturned: {
      estimate: number | null;
      k: number;
      n: number;
      missing: number;
      open: number;
      threads: number;
      largest_thread: number;
      method: ("clopper_pearson" | "e_value") | null;
      upper: {
        once: number | null;
        anytime: number | null;
      };
      reason?: "no_reviews" | "no_levels" | "no_answers" | "reviews_open";
    };
    saw_audit: {
      drawn: number;
      risk: {
        estimate: number | null;
        k: number;
        n: number;
        missing: number;
        open: number;
        threads: number;
        largest_thread: number;
        method: ("clopper_pearson" | "e_value") | null;
        upper: {
          once: number | null;
          anytime: number | null;
        };
        reason?: "no_reviews" | "no_levels" | "no_answers" | "reviews_open";
      };
      overturned: {
        estimate: number | null;
        k: number;
        n: number;
        missing: number;
        open: number;
        threads: number;
        largest_thread: number;
        method: ("clopper_pearson" | "e_value") | null;
        upper: {
          once: number | null;
          anytime: number | null;
        };
        reason?: "no_reviews" | "no_levels" | "no_answers" | "reviews_open";
      };
    } | null;
    appeals: {
      decisions: number;
      overturned: number;
      indefensible: number;
    };
    cells: {
      by: "community" | "action" | "language" | "week";
      value: string;
      drawn: number;
      risk: {
        estimate: number | null;
        k: number;
        n: number;
        missing: number;
        open: number;
        threads: number;
        largest_thread: number;
        method: ("clopper_pearson" | "e_value") | null;
        upper: {
          once: number | null;
          anytime: number | null;
        };
        reason?: "no_reviews" | "no_levels" | "no_answers" | "reviews_open";
        upper_all: {
          once: number | null;
          anytime: number | null;
        };
      };
      overturned: {
        estimate: number | null;
        k: number;
        n: number;
        missing: number;
        open: number;
        threads: number;
        largest_thread: number;
        method: ("clopper_pearson" | "e_value") | null;
        upper: {
          once: number | null;
          anytime: number | null;
        };
        reason?: "no_reviews" | "no_levels" | "no_answers" | "reviews_open";
        upper_all: {
          once: number | null;
          anytime: number | null;
        };
      };
    }[];
    left_out: {
      share_unknown: number;
      share_zero: number;
      shadow: number;
      repeated: number;
    };
    outcomes: {
      in_all: number;
      unknown: number;
      not_drawn: number;
    };
    [key: string]: unknown;
  } | null;
  in_force?: {
    status: string;
    text: string;
    [key: string]: unknown;
  } | null;
  closed?: {
    since: string;
    reason: string;
    after?: string | null;
    by?: "reviews" | "hand";
  } | null;
  notes?: string[];
  content_hash?: string;
  signature?: string;
  checks?: {
    requirement: string;
    failures: string[];
  }[];
  [key: string]: unknown;
};

export type Label = {
  decision_id: string;
  level: 1 | 2 | 3;
  inverse?: boolean | null;
  rater?: string | null;
  source: "human" | "gold" | "auditor";
  rated_at?: string | null;
  drawn?: ("random" | "sheet" | "review" | "queue" | "appeal" | "convenience") | null;
  inclusion?: number | null;
  stratum?: string | null;
  frame?: string | null;
  [key: string]: unknown;
};

export type LoggedRoute = {
  decision_id: string | null;
  route: "automate" | "review";
  reasons: ("community_passes" | "score_reaches_threshold" | "forced_calibration" | "without_score" | "unverified_content" | "shadow" | "bad_decision" | "closed" | "no_gate" | "unknown_community" | "insufficient" | "does_not_pass" | "harm_above_limit" | "not_certified" | "suspended" | "foreign_gate" | "rules_changed" | "no_audit" | "bad_audit" | "other_decision" | "content_changed" | "audit_error" | "unscored" | "indefensible" | "probably_indefensible" | "missing_calibration" | "foreign_calibration" | "no_score" | "no_threshold" | "below_threshold" | "appeal" | "unseen_media" | "injection_suspected" | "content_cut" | "retroactive_rule" | "unknown_flag" | "look_alike_key" | "never_automate" | "unresolved_citation" | "random_review")[];
  community_state: string | null;
  mode: "paper" | "shrunk" | "certified";
  score: number | null;
  threshold: number | null;
  threshold_reason?: string;
  calibration_id: string | null;
  gate_id: string | null;
  versions: Record<string, string | null>;
  community?: string | null;
  decision?: string | null;
  evidence?: {
    cohort: string;
    n: number;
    indefensible: number;
    inverse_yes: number;
    passes: {
      paper: boolean;
      shrunk: boolean;
      certified: boolean;
    };
    suspended?: {
      since: string;
      reason: string;
      after?: string | null;
      by?: "reviews" | "hand";
    };
    [key: string]: unknown;
  } | null;
  would_automate?: boolean;
  review_share?: number;
  sampled?: boolean;
  thread_id?: string;
  language?: string;
  decided_at?: string;
  shadow?: boolean;
  would_route?: "automate" | "review";
  line?: number;
  at: string;
  epoch?: number;
  pending?: boolean;
  [key: string]: unknown;
};

export type PreviewedGate = {
  gate_id: string;
  epoch: number;
  gate: Gate;
  status: {
    status: string;
    text: string;
    [key: string]: unknown;
  } | null;
  notes: string[];
  changes: {
    gate_id: {
      before: string | null;
      after: string | null;
    };
    settings: {
      setting: string;
      before: unknown;
      after: unknown;
    }[];
    passing: {
      before: number;
      after: number;
    };
    coverage: {
      before: number | null;
      after: number | null;
    };
    communities: {
      community: string;
      before: {
        state: "earned_autonomy" | "policy_gaps" | "normative_complexity" | "insufficient";
        passes: boolean;
        suspended: boolean;
      } | null;
      after: {
        state: "earned_autonomy" | "policy_gaps" | "normative_complexity" | "insufficient";
        passes: boolean;
        suspended: boolean;
      } | null;
    }[];
  };
};

export type Problem = {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  instance: string;
  [key: string]: unknown;
};

export type Received = {
  id: string | null;
  status: "accepted" | "duplicate" | "conflict" | "rejected";
  detail?: string;
};

export type Review = {
  review_id: number;
  item_id: number;
  decision_id: string;
  reviewer: string;
  outcome: "uphold" | "overturn";
  level: (1 | 2 | 3) | null;
  inverse: string | null;
  note: string | null;
  seconds: number | null;
  saw_audit: boolean;
  rule_ids: string[];
  replaces: number | null;
  at: string;
};

export type Routed = {
  decision_id: string | null;
  route: "automate" | "review";
  reasons: ("community_passes" | "score_reaches_threshold" | "forced_calibration" | "without_score" | "unverified_content" | "shadow" | "bad_decision" | "closed" | "no_gate" | "unknown_community" | "insufficient" | "does_not_pass" | "harm_above_limit" | "not_certified" | "suspended" | "foreign_gate" | "rules_changed" | "no_audit" | "bad_audit" | "other_decision" | "content_changed" | "audit_error" | "unscored" | "indefensible" | "probably_indefensible" | "missing_calibration" | "foreign_calibration" | "no_score" | "no_threshold" | "below_threshold" | "appeal" | "unseen_media" | "injection_suspected" | "content_cut" | "retroactive_rule" | "unknown_flag" | "look_alike_key" | "never_automate" | "unresolved_citation" | "random_review")[];
  community_state: string | null;
  mode: "paper" | "shrunk" | "certified";
  score: number | null;
  threshold: number | null;
  threshold_reason?: string;
  calibration_id: string | null;
  gate_id: string | null;
  versions: Record<string, string | null>;
  community?: string | null;
  decision?: string | null;
  evidence?: {
    cohort: string;
    n: number;
    indefensible: number;
    inverse_yes: number;
    passes: {
      paper: boolean;
      shrunk: boolean;
      certified: boolean;
    };
    suspended?: {
      since: string;
      reason: string;
      after?: string | null;
      by?: "reviews" | "hand";
    };
    [key: string]: unknown;
  } | null;
  would_automate?: boolean;
  review_share?: number;
  sampled?: boolean;
  thread_id?: string;
  language?: string;
  decided_at?: string;
  shadow?: boolean;
  would_route?: "automate" | "review";
  line?: number;
  epoch: number;
  pending?: boolean;
  [key: string]: unknown;
};

export type RouteRecord = {
  decision_id: string | null;
  route: "automate" | "review";
  reasons: ("community_passes" | "score_reaches_threshold" | "forced_calibration" | "without_score" | "unverified_content" | "shadow" | "bad_decision" | "closed" | "no_gate" | "unknown_community" | "insufficient" | "does_not_pass" | "harm_above_limit" | "not_certified" | "suspended" | "foreign_gate" | "rules_changed" | "no_audit" | "bad_audit" | "other_decision" | "content_changed" | "audit_error" | "unscored" | "indefensible" | "probably_indefensible" | "missing_calibration" | "foreign_calibration" | "no_score" | "no_threshold" | "below_threshold" | "appeal" | "unseen_media" | "injection_suspected" | "content_cut" | "retroactive_rule" | "unknown_flag" | "look_alike_key" | "never_automate" | "unresolved_citation" | "random_review")[];
  community_state: string | null;
  mode: "paper" | "shrunk" | "certified";
  score: number | null;
  threshold: number | null;
  threshold_reason?: string;
  calibration_id: string | null;
  gate_id: string | null;
  versions: Record<string, string | null>;
  community?: string | null;
  decision?: string | null;
  evidence?: {
    cohort: string;
    n: number;
    indefensible: number;
    inverse_yes: number;
    passes: {
      paper: boolean;
      shrunk: boolean;
      certified: boolean;
    };
    suspended?: {
      since: string;
      reason: string;
      after?: string | null;
      by?: "reviews" | "hand";
    };
    [key: string]: unknown;
  } | null;
  would_automate?: boolean;
  review_share?: number;
  sampled?: boolean;
  thread_id?: string;
  language?: string;
  decided_at?: string;
  shadow?: boolean;
  would_route?: "automate" | "review";
  line?: number;
  at: string;
  [key: string]: unknown;
};

export type RuleSet = {
  scope: "platform" | "community";
  community?: string | null;
  communities?: string[] | null;
  version: string;
  effective_from?: string | null;
  rules: {
    id: string;
    title: string;
    description?: string | null;
    detail?: string | null;
    kind?: ("prohibition" | "requirement" | "permission" | "procedure" | "subjective_content" | "vague_directive" | "discretion") | null;
    url?: string | null;
    never_automate?: boolean | null;
    harm?: number | null;
    statement?: {
      category?: "STATEMENT_CATEGORY_ANIMAL_WELFARE" | "STATEMENT_CATEGORY_CONSUMER_INFORMATION" | "STATEMENT_CATEGORY_CYBER_VIOLENCE" | "STATEMENT_CATEGORY_CYBER_VIOLENCE_AGAINST_WOMEN" | "STATEMENT_CATEGORY_DATA_PROTECTION_AND_PRIVACY_VIOLATIONS" | "STATEMENT_CATEGORY_ILLEGAL_OR_HARMFUL_SPEECH" | "STATEMENT_CATEGORY_INTELLECTUAL_PROPERTY_INFRINGEMENTS" | "STATEMENT_CATEGORY_NEGATIVE_EFFECTS_ON_CIVIC_DISCOURSE_OR_ELECTIONS" | "STATEMENT_CATEGORY_NOT_SPECIFIED_NOTICE" | "STATEMENT_CATEGORY_OTHER_VIOLATION_TC" | "STATEMENT_CATEGORY_PROTECTION_OF_MINORS" | "STATEMENT_CATEGORY_RISK_FOR_PUBLIC_SECURITY" | "STATEMENT_CATEGORY_SCAMS_AND_FRAUD" | "STATEMENT_CATEGORY_SELF_HARM" | "STATEMENT_CATEGORY_UNSAFE_AND_PROHIBITED_PRODUCTS" | "STATEMENT_CATEGORY_VIOLENCE";
      keywords?: ("KEYWORD_ANIMAL_HARM" | "KEYWORD_ADULT_SEXUAL_MATERIAL" | "KEYWORD_AGE_SPECIFIC_RESTRICTIONS" | "KEYWORD_AGE_SPECIFIC_RESTRICTIONS_MINORS" | "KEYWORD_BIOMETRIC_DATA_BREACH" | "KEYWORD_BULLYING_AGAINST_GIRLS" | "KEYWORD_CHILD_SEXUAL_ABUSE_MATERIAL" | "KEYWORD_CHILD_SEXUAL_ABUSE_MATERIAL_DEEPFAKE" | "KEYWORD_CONTENT_PROMOTING_EATING_DISORDERS" | "KEYWORD_COORDINATED_HARM" | "KEYWORD_COPYRIGHT_INFRINGEMENT" | "KEYWORD_CYBER_BULLYING_INTIMIDATION" | "KEYWORD_CYBER_HARASSMENT" | "KEYWORD_CYBER_HARASSMENT_AGAINST_WOMEN" | "KEYWORD_CYBER_INCITEMENT" | "KEYWORD_CYBER_STALKING" | "KEYWORD_CYBER_STALKING_AGAINST_WOMEN" | "KEYWORD_DATA_FALSIFICATION" | "KEYWORD_DEFAMATION" | "KEYWORD_DESIGN_INFRINGEMENT" | "KEYWORD_DISCRIMINATION" | "KEYWORD_MISINFORMATION_DISINFORMATION" | "KEYWORD_FEMALE_GENDERED_DISINFORMATION" | "KEYWORD_GEOGRAPHIC_INDICATIONS_INFRINGEMENT" | "KEYWORD_GEOGRAPHICAL_REQUIREMENTS" | "KEYWORD_GOODS_SERVICES_NOT_PERMITTED" | "KEYWORD_GROOMING_SEXUAL_ENTICEMENT_MINORS" | "KEYWORD_HATE_SPEECH" | "KEYWORD_HIDDEN_ADVERTISEMENT" | "KEYWORD_HUMAN_EXPLOITATION" | "KEYWORD_HUMAN_TRAFFICKING" | "KEYWORD_ILLEGAL_ORGANIZATIONS" | "KEYWORD_IMPERSONATION_ACCOUNT_HIJACKING" | "KEYWORD_INAUTHENTIC_ACCOUNTS" | "KEYWORD_INAUTHENTIC_LISTINGS" | "KEYWORD_INAUTHENTIC_USER_REVIEWS" | "KEYWORD_INCITEMENT_AGAINST_WOMEN" | "KEYWORD_INCITEMENT_VIOLENCE_HATRED" | "KEYWORD_INSUFFICIENT_INFORMATION_ON_TRADERS" | "KEYWORD_LANGUAGE_REQUIREMENTS" | "KEYWORD_MISLEADING_INFO_CONSUMER_RIGHTS" | "KEYWORD_MISLEADING_INFO_GOODS_SERVICES" | "KEYWORD_MISSING_PROCESSING_GROUND" | "KEYWORD_NON_CONSENSUAL_IMAGE_SHARING" | "KEYWORD_NON_CONSENSUAL_IMAGE_SHARING_AGAINST_WOMEN" | "KEYWORD_NON_CONSENSUAL_MATERIAL_DEEPFAKE" | "KEYWORD_NON_CONSENSUAL_MATERIAL_DEEPFAKE_AGAINST_WOMEN" | "KEYWORD_NONCOMPLIANCE_PRICING" | "KEYWORD_NUDITY" | "KEYWORD_PATENT_INFRINGEMENT" | "KEYWORD_PHISHING" | "KEYWORD_PROHIBITED_PRODUCTS" | "KEYWORD_PYRAMID_SCHEMES" | "KEYWORD_RIGHT_TO_BE_FORGOTTEN" | "KEYWORD_OTHER" | "KEYWORD_RISK_ENVIRONMENTAL_DAMAGE" | "KEYWORD_RISK_PUBLIC_HEALTH" | "KEYWORD_SELF_MUTILATION" | "KEYWORD_STALKING" | "KEYWORD_SUICIDE" | "KEYWORD_TERRORIST_CONTENT" | "KEYWORD_TRADE_SECRET_INFRINGEMENT" | "KEYWORD_TRADEMARK_INFRINGEMENT" | "KEYWORD_TRAFFICKING_WOMEN_GIRLS" | "KEYWORD_UNLAWFUL_SALE_ANIMALS" | "KEYWORD_UNSAFE_CHALLENGES" | "KEYWORD_UNSAFE_PRODUCTS" | "KEYWORD_VIOLATION_EU_LAW" | "KEYWORD_VIOLATION_NATIONAL_LAW")[];
      law?: string;
    } | null;
    [key: string]: unknown;
  }[];
  [key: string]: unknown;
};

export type Run = {
  format: 1;
  run_id: string;
  parent_run_id: string | null;
  status: "open" | "sealed";
  created_at: string;
  sealed_at: string | null;
  software: string;
  fingerprint: string;
  auditor: string;
  auditor_version: string;
  prompt_version: string;
  template: "paper" | "guided" | "extended";
  tier: "title" | "sidebar" | "wiki";
  temperature: number;
  signal: "logprobs" | "sampling" | "none";
  missing?: "floor" | "paper";
  replicates: number;
  humans: boolean;
  seed: number;
  actions: {
    positive: string;
    negative: string;
    all?: {
      name: string;
      severity: number;
    }[];
  };
  selection: Record<string, unknown>;
  hashes: {
    decisions: string;
    rules: string;
    precedents: string;
  };
  weights: {
    alpha: number;
    beta: number;
    gamma: number;
    component: "h_w" | "h_kappa";
    calibrated: boolean;
    provenance?: "fitted" | "unknown";
  };
  counts: {
    planned: number;
    verdicts: number;
    unscored: number;
    errors: number;
  };
  experiment?: {
    kind: string;
    arms: {
      name: string;
      tier?: "title" | "sidebar" | "wiki";
      template?: "paper" | "guided" | "extended";
      temperature?: number;
      scope?: "platform" | "community";
      precedents?: boolean;
      opposite?: boolean;
      alternative?: {
        action: string;
        nearest: number;
      };
      draws?: string;
      book?: string;
      prompt_version?: string;
      [key: string]: unknown;
    }[];
    design?: Record<string, unknown>;
    [key: string]: unknown;
  };
  flip?: number | "all";
  flip_counts?: {
    planned: number;
    verdicts: number;
    unscored: number;
    errors: number;
  };
  alternatives?: number;
  samples?: number;
  endpoint?: string;
  scrub?: string;
  context_tokens?: number;
  same_family?: {
    decisions: number;
    of: number;
  };
  capabilities?: Record<string, unknown>;
  usage?: {
    input_tokens: number | null;
    cached_input_tokens: number | null;
    output_tokens: number | null;
    cost_usd: number | null;
  };
  scheduler?: Record<string, unknown>[];
  [key: string]: unknown;
};

export type SentAudit = {
  run_id: string;
  decision_id: string;
  arm: string;
  replicate: number;
  community: string;
  auditor: string;
  auditor_version?: string | null;
  prompt_version?: string | null;
  template: "paper" | "guided" | "extended";
  ruleset_version?: string | null;
  tier: "title" | "sidebar" | "wiki";
  temperature: number;
  signal: "logprobs" | "sampling" | "none";
  missing?: ("floor" | "paper") | null;
  outcome: "verdict" | "unscored" | "error";
  error?: {
    code: string;
    message: string;
    [key: string]: unknown;
  } | null;
  decision: string;
  human_label?: string | null;
  thread_id?: string | null;
  language?: string | null;
  decided_at?: string | null;
  trace?: {
    logic_chain?: string | null;
    policy_citation?: string | null;
    precedent_weight?: ("High" | "Medium" | "Low") | null;
    inverse_check?: ("Yes" | "No") | null;
    inverse_citation?: string | null;
    defensibility_level?: (1 | 2 | 3) | null;
    level3_reason?: ("no_rule" | "complies_with_cited_rule" | "concept_absent") | null;
  } | null;
  level?: (1 | 2 | 3) | null;
  inverse?: boolean | null;
  level_probs?: [number, number, number] | null;
  level_map?: (1 | 2 | 3) | null;
  lambda_nats?: number | null;
  h_weight_bits?: number | null;
  h_citation_bits?: number | null;
  h_citation_sampled_bits?: number | null;
  citation_tokens?: number | null;
  citation_spans?: [string, number][] | null;
  entropy_support?: ("top_k" | "vocab") | null;
  inverse_log_odds?: number | null;
  inverse_yes_prob?: number | null;
  pds?: number | null;
  p_defensible?: number | null;
  p_calibrated?: number | null;
  calibration_id?: string | null;
  label_mass?: {
    level?: number | null;
    weight?: number | null;
    inverse?: number | null;
  } | null;
  tail_mass?: number | null;
  logprob_space?: ("raw" | "tempered" | "unknown") | null;
  samples?: number | null;
  se?: Record<string, number> | null;
  sensitivity?: (Record<string, number | null>) | null;
  flags: ("no_signal" | "low_mass" | "censored" | "tie" | "uncalibrated" | "foreign_calibration" | "fallback_span" | "injection_suspected" | "unknown_space" | "cached" | "same_family" | "no_rules" | "no_community_rules" | "precedents_cut" | "content_cut" | "language_not_in_precedents" | "unseen_media" | "retroactive_rule")[];
  citation?: {
    scope: "platform" | "community" | "precedent" | "mixed" | "none";
    rule_id: string | null;
    overlap: number | null;
    grounded: boolean;
  } | null;
  inverse_citation?: {
    scope: "platform" | "community" | "precedent" | "mixed" | "none";
    rule_id: string | null;
    overlap: number | null;
    grounded: boolean;
  } | null;
  prompt?: {
    precedents_used: string[] | null;
    precedents_left_out: number;
    content_cut: number;
    scrubbed: Record<string, string> | null;
  } | null;
  read?: {
    content: string;
    rules: string;
    precedents: string;
  } | null;
  usage?: {
    input_tokens: number | null;
    cached_input_tokens: number | null;
    output_tokens: number | null;
    cost_usd: number | null;
  } | null;
  latency_ms?: number | null;
  attempts: number;
  created_at: string;
  [key: string]: unknown;
};

export type ShownDecision = {
  id: string;
  community: string;
  content?: string | {
    title?: string | null;
    body: string;
    kind?: string | null;
    language?: string | null;
    context?: string[] | null;
    url?: string | null;
    media?: unknown[] | null;
    [key: string]: unknown;
  };
  decision: string;
  human_label?: string | null;
  decider?: {
    kind?: ("model" | "human" | "rule") | null;
    id?: string | null;
    confidence?: number | null;
    replicates?: Record<string, number> | null;
    [key: string]: unknown;
  } | null;
  rationale?: string | null;
  cited_rule?: string | null;
  decided_at?: string | null;
  ruleset_version?: string | null;
  thread_id?: string | null;
  appeal?: {
    filed_at?: string | null;
    text?: string | null;
    outcome?: ("upheld" | "overturned" | "pending") | null;
    [key: string]: unknown;
  } | null;
  gold?: {
    level: 1 | 2 | 3;
    inverse: boolean;
    rule_ids: string[];
    note?: string | null;
    [key: string]: unknown;
  } | null;
  tags?: string[] | null;
  author?: string | null;
  erased?: boolean | null;
  [key: string]: unknown;
};

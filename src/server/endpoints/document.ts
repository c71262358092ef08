import type { FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";
import { gateSchema } from "../../core/gate.js";
import { auditSchema } from "../../core/records/audit.js";
import { decisionSchema } from "../../core/records/decision.js";
import { labelSchema } from "../../core/records/label.js";
import { manifestSchema } from "../../core/records/manifest.js";
import { routeRecordSchema } from "../../core/records/route.js";
import { ruleSetSchema } from "../../core/records/rule-set.js";
import { problemSchema } from "../problems.js";
import { auditAnswer, decisionAnswer, receivedSchema } from "./decisions.js";
import { previewed } from "./gate.js";
import {
  pageAuditSchema,
  pageDecisionSchema,
  pagePrecedentSchema,
  pageRuleSetSchema,
  pageTextSchema,
} from "./page-parts.js";
import { judgement, reviewSchema } from "./reviewing.js";
import { askedSchema, loggedSchema, routedSchema } from "./routing.js";
import { appealSchema } from "./screens.js";

/** Schemas that the OpenAPI document defines once, by name. */
const NAMED: Readonly<Record<string, z.ZodType>> = {
  Appeal: appealSchema,
  AskedDecision: askedSchema,
  Audit: auditAnswer,
  Decision: decisionSchema,
  Gate: gateSchema,
  Judgement: judgement,
  Label: labelSchema,
  LoggedRoute: loggedSchema,
  PageAudit: pageAuditSchema,
  PageDecision: pageDecisionSchema,
  PagePrecedent: pagePrecedentSchema,
  PageRuleSet: pageRuleSetSchema,
  PageText: pageTextSchema,
  PreviewedGate: previewed,
  Problem: problemSchema,
  Received: receivedSchema,
  Review: reviewSchema,
  Routed: routedSchema,
  RouteRecord: routeRecordSchema,
  RuleSet: ruleSetSchema,
  Run: manifestSchema,
  SentAudit: auditSchema,
  ShownDecision: decisionAnswer,
};

/** Builds the document from the schemas of endpoints. */
export function documentOf(): Pick<FastifyDynamicSwaggerOptions, "transform" | "transformObject"> {
  const schemaRegistry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) schemaRegistry.add(schema, { id });
  const withSchemas = createJsonSchemaTransformObject({ schemaRegistry });
  return {
    transform: createJsonSchemaTransform({ schemaRegistry }),
    transformObject: (document) => withoutDoubles(withSchemas(document)) as never,
  };
}

/** A schema is generated as `Decision` and as `DecisionInput`. Where both are the same, one is kept; unused schemas are removed. 304 has no body. */
function withoutDoubles<T extends object>(document: T): T {
  let text = JSON.stringify(document);
  const schemas = () => (JSON.parse(text) as { components: { schemas: Record<string, unknown> } }).components.schemas;
  for (const [name, schema] of Object.entries(schemas())) {
    if (!name.endsWith("Input")) continue;
    const output = name.slice(0, -"Input".length);
    const plain = (value: unknown) => JSON.stringify(value).replaceAll('Input"', '"');
    if (plain(schema) === plain(schemas()[output])) {
      text = text.replaceAll(`"#/components/schemas/${name}"`, `"#/components/schemas/${output}"`);
    }
  }
  const made = JSON.parse(text);
  for (const methods of Object.values<Record<string, { responses: Record<string, object> }>>(made.paths)) {
    for (const { responses } of Object.values(methods)) {
      const unchanged = responses["304"] as { content?: object } | undefined;
      if (unchanged) delete unchanged.content;
    }
  }
  for (let before = -1; before !== Object.keys(made.components.schemas).length; ) {
    before = Object.keys(made.components.schemas).length;
    const all = JSON.stringify(made);
    for (const name of Object.keys(made.components.schemas)) {
      if (!all.includes(`"#/components/schemas/${name}"`)) delete made.components.schemas[name];
    }
  }
  return made;
}

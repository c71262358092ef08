export * from "./fault.js";
export * from "./google-faults.js";
export * from "./openai-faults.js";
export { type Planned, type PlanOptions, planAnswer } from "./plan-answer.js";
export type { Question } from "./question.js";
export { BASE_PATHS, type FakeServer, type FakeServerOptions, startFakeServer } from "./start-fake-server.js";
export { asksForScope, type ScopeText, scopeText, type TraceText, traceText } from "./trace-text.js";
export { DIALECTS, type Dialect, TRAITS, type Traits } from "./traits.js";
export { loadVocabulary, VOCABULARIES, type VocabularyName } from "./vocabulary.js";

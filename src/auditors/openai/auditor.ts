import type { SignalMode } from "../../core/records/audit.js";
import type { Generation } from "../../core/records/case.js";
import {
  type Answers,
  type Ask,
  type Auditor,
  type BatchClient,
  CallError,
  type Capabilities,
  type Pace,
  type Price,
  type PromptNeeds,
} from "../auditor.js";
import { type AuditorOptions, priceOf } from "../create-auditor.js";
import { type ScannedBody, scanBody } from "../scan/scan-body.js";
import { detectDialect, openaiAccess, showBaseUrl } from "./access.js";
import { OpenAIBatch } from "./batch.js";
import { buildRequest, makeGenerations, type OpenAIRequest, type Question, requestJson } from "./batch-line.js";
import { OpenAIClient } from "./client.js";
import { NO_HEADERS, RefusedParameter, readPace, refusalError } from "./errors.js";
import { probeModel } from "./probe.js";
import { dialectOf, familyOf, firstShape, type RequestShape } from "./request-shape.js";

const DEFAULT_TIMEOUT_MS = 120_000;
/** Changes with anything that could change answers: the form of requests, or how answers are read. */
const VERSION = "openai-1";

const ALL_SIGNALS: readonly SignalMode[] = ["logprobs", "sampling", "none"];
const NO_LOGPROBS: readonly SignalMode[] = ["sampling", "none"];

/** An auditor for `openai:<model>` or `openai-compatible:<model>`. Nothing is sent before its first question or probe. */
export async function createOpenAIAuditor(
  name: string,
  model: string,
  options: AuditorOptions,
): Promise<OpenAIAuditor> {
  return new OpenAIAuditor(name, model, options);
}

export class OpenAIAuditor implements Auditor {
  readonly version: string;
  readonly inProcess = false;
  readonly maxConcurrency = null;
  readonly readsPrompt: PromptNeeds;
  readonly price: Price | null;
  readonly batch?: BatchClient;
  private readonly client: OpenAIClient;
  private shape: RequestShape;
  /** Set once the server's dialect is known or being detected. */
  private known: Promise<void> | null;
  private contextNote: string | null = null;

  constructor(
    readonly name: string,
    private readonly model: string,
    options: AuditorOptions,
  ) {
    const access = openaiAccess(name.startsWith("openai:") ? "openai" : "openai-compatible", name, options);
    this.version = `${VERSION}/${access.dialect?.name ?? "auto"}`;
    this.client = new OpenAIClient(access, model, options.timeoutMs ?? DEFAULT_TIMEOUT_MS, options.answerBytes);
    this.known = access.dialect === null ? null : Promise.resolve();
    const dialect = access.dialect ?? dialectOf("generic");
    const family = familyOf(model);
    const own = dialect.reasoningEffort;
    this.shape = firstShape(dialect, family);
    this.readsPrompt = {
      tokenizer: family?.tokenizer ?? (own ? "o200k" : "estimated"),
      contextTokens: options.contextTokens ?? family?.contextTokens ?? dialect.contextTokens,
      outputTokens: this.shape.outputTokens,
    };
    this.price = options.prices?.[model] ?? (own ? priceOf("openai", model) : null);
    // Azure's files and batches are not under a deployment.
    if (dialect.batch && !access.url.address.includes("/deployments/")) {
      this.batch = new OpenAIBatch(this.client, {
        price: this.price,
        space: dialect.space,
        trueBytes: dialect.bytes === "true",
        url: dialect.name === "azure" ? "/chat/completions" : "/v1/chat/completions",
        request: (ask) => buildRequest(model, this.question(ask, 0, ask.wanted.length), this.shape).body,
      });
    }
  }

  get signals(): readonly SignalMode[] {
    return this.shape.logprobs === false ? NO_LOGPROBS : ALL_SIGNALS;
  }

  get answersPerCall(): number {
    return this.shape.answersPerCall;
  }

  async ask(ask: Ask): Promise<Answers> {
    await this.knowDialect();
    if (ask.logprobs && this.shape.logprobs === false) throw this.noLogprobs();
    const generations: Generation[] = [];
    let pace: Pace | null = null;
    // Usually one round; more if the server gives fewer answers than requested.
    while (generations.length < ask.wanted.length) {
      const count = Math.min(ask.wanted.length - generations.length, this.answersPerCall);
      const request = buildRequest(this.model, this.question(ask, generations.length, count), this.shape);
      try {
        const answer = await this.send(request, ask.temperature, count, ask.signal);
        pace = answer.pace;
        generations.push(...answer.generations.slice(0, count));
        if (answer.generations.length < count) this.shape = { ...this.shape, answersPerCall: 1 };
      } catch (error) {
        // Answers received were paid for: they are returned, and the rest is asked for again.
        const refused = error instanceof RefusedParameter && error.parameter === "n" && count > 1;
        if (!refused && generations.length > 0) break;
        if (!refused) throw error;
        this.shape = { ...this.shape, answersPerCall: 1 };
      }
    }
    return { generations, pace };
  }

  async probe(): Promise<Capabilities> {
    await this.knowDialect();
    const { capabilities, shape } = await probeModel(this.model, this.shape, async (request) => {
      const { body, generations } = await this.send(request, 1, Number(request.body.n ?? 1));
      const costs = generations.map(({ usage }) => usage.cost_usd);
      return { body, costUsd: costs.includes(null) ? null : costs.reduce((a, b) => a! + b!, 0) };
    });
    this.shape = shape;
    if (this.contextNote !== null) capabilities.notes.push(this.contextNote);
    return capabilities;
  }

  requestText(ask: Ask): string {
    const { path, body, prompt } = buildRequest(this.model, { ...this.question(ask, 0, 1), seed: null }, this.shape);
    const { prompt_cache_key: _, ...request } = body;
    const place = JSON.stringify({ base_url: showBaseUrl(this.client.access.url), path });
    return `${place.slice(0, -1)},"request":${requestJson({ body: request, prompt })}}`;
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private question(ask: Ask, from: number, answers: number): Question {
    if (ask.prompt === null) throw new Error(`${this.name}: reads a prompt, and was given none`);
    return {
      prompt: ask.prompt,
      temperature: ask.temperature,
      logprobs: ask.logprobs,
      answers,
      seed: ask.wanted[from]?.seed ?? null,
      outputTokens: this.readsPrompt.outputTokens,
    };
  }

  private async send(
    request: OpenAIRequest,
    temperature: number,
    answers: number,
    signal?: AbortSignal,
  ): Promise<{ body: ScannedBody; generations: Generation[]; pace: Pace | null }> {
    const { dialect } = this.shape;
    const secrets = this.client.access.secrets();
    const response = await this.client.post(request, answers, signal);
    const body = scanBody(response.bytes, dialect.bytes === "true", secrets);
    this.refuseErrors(body);
    const generations = makeGenerations(body, {
      model: this.model,
      space: dialect.space,
      // If none is sent, the server uses its default, which is 1 everywhere.
      temperature: this.shape.temperature ? temperature : 1,
      price: this.price,
      secrets,
    });
    return { body, generations, pace: readPace(response.headers) };
  }

  /** Gateways report upstream failures with status 200. */
  private refuseErrors(body: ScannedBody): void {
    const failed = body.choices.find((choice) => choice.failed !== null);
    const error =
      body.choices.length === 0 ? body.error : failed ? { message: failed.failed!, code: null, type: null } : null;
    if (error === null) return;
    const status = Number(error.code);
    throw refusalError(
      status >= 400 && status < 600 ? status : 502,
      JSON.stringify({ error }),
      NO_HEADERS,
      this.client.context(),
    );
  }

  private noLogprobs(): CallError {
    return new CallError(
      "unsupported",
      `${this.name}: gives no token probabilities`,
      "Use `signal` sampling (repeated draws) or `signal` none (levels only), or another model.",
    );
  }

  private async knowDialect(): Promise<void> {
    this.known ??= this.detect();
    try {
      await this.known;
    } catch (error) {
      // The server may be up again at the next question.
      this.known = null;
      throw error;
    }
  }

  private async detect(): Promise<void> {
    const found = detectDialect(this.client.access.url, this.model, await this.client.models());
    this.shape = firstShape(found.dialect, familyOf(this.model));
    const { contextTokens } = found;
    if (contextTokens !== null && contextTokens < this.readsPrompt.contextTokens) {
      this.contextNote = `The server's context is ${contextTokens} tokens: give ${contextTokens} as \`context\`, so that prompts are cut to fit.`;
    }
  }
}

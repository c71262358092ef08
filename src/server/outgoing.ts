import { lookup as dnsLookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { Agent } from "undici";

/** Why a call was not made or failed. It never contains text of the answer. */
export type CallFault = "bad_address" | "address_refused" | "no_answer" | "timeout" | "too_large";

export class OutgoingError extends Error {
  constructor(
    readonly fault: CallFault,
    message: string,
  ) {
    super(message);
  }
}

export interface OutgoingOptions {
  /**
   * Hosts that may be called although they are not public, also by http: `hooks.internal` or `10.0.0.5:8080`. A host without a port allows
   * all its ports.
   */
  allow?: readonly string[];
  timeoutMs?: number;
}

export interface OutgoingAnswer {
  status: number;
  text: string;
}

export interface OutgoingRequest {
  method: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

const CONNECT_MS = 3000;
const TIMEOUT_MS = 15_000;
const ANSWER_BYTES = 64 * 1024;

const SPECIAL_4: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
/** Non-public ranges within 2000::/3, the only public block: tunnels that contain an IPv4 address, documentation, benchmarks. */
const SPECIAL_6: readonly [string, number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const special = new BlockList();
for (const [net, bits] of SPECIAL_4) special.addSubnet(net, bits, "ipv4");
for (const [net, bits] of SPECIAL_6) special.addSubnet(net, bits, "ipv6");
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");

/** Whether an address is on the public internet. IPv4 inside IPv6 is not: it would reach what the IPv4 address may not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, "ipv4");
  return family === 6 && global6.check(address, "ipv6") && !special.check(address, "ipv6");
}

/** A list of hosts from a setting, separated by commas. */
export function hostList(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((one) => one.trim().toLowerCase())
    .filter(Boolean);
}

/**
 * Outgoing calls to addresses that users of the service name (webhooks, call-backs) and to the identity provider. A name is checked as it
 * is resolved for each connection, so it cannot point elsewhere a moment later. Redirects are not followed, no proxy is used, and only a
 * little of an answer is read.
 */
export class Outgoing {
  private readonly allow: ReadonlySet<string>;
  private readonly timeoutMs: number;
  private agents: Promise<{ guarded: Agent; open: Agent }> | null = null;

  constructor({ allow = [], timeoutMs = TIMEOUT_MS }: OutgoingOptions = {}) {
    this.allow = new Set(allow.map((one) => one.toLowerCase()));
    this.timeoutMs = timeoutMs;
  }

  /** The parsed address, if it passes every check that needs no name resolution. */
  check(address: string): URL {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
      throw new OutgoingError("bad_address", "Expected an https address without a password in it.");
    }
    if (this.isAllowed(url)) return url;
    if (url.protocol !== "https:") throw new OutgoingError("address_refused", "The address must be https.");
    // The parser has turned every notation of an address (0x7f.1, 2130706433) into the usual one.
    if (isIP(hostOf(url)) !== 0)
      throw new OutgoingError("address_refused", "The address must have a name, not a number.");
    return url;
  }

  async send(address: string, request: OutgoingRequest): Promise<OutgoingAnswer> {
    const url = this.check(address);
    this.agents ??= makeAgents();
    const { guarded, open } = await this.agents;
    const dispatcher = this.isAllowed(url) ? open : guarded;
    try {
      const { statusCode, body } = await dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: request.method,
        headers: { "accept-encoding": "identity", ...request.headers },
        ...(request.body === undefined ? {} : { body: request.body }),
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      const pieces: Buffer[] = [];
      let bytes = 0;
      for await (const piece of body) {
        bytes += piece.length;
        if (bytes > ANSWER_BYTES) throw new OutgoingError("too_large", "The answer is longer than 64 kB.");
        pieces.push(piece);
      }
      return { status: statusCode, text: Buffer.concat(pieces).toString("utf8") };
    } catch (cause) {
      throw faultOf(cause);
    }
  }

  async close(): Promise<void> {
    const agents = await this.agents;
    await Promise.all([agents?.guarded.destroy(), agents?.open.destroy()]);
  }

  private isAllowed(url: URL): boolean {
    const port = url.port || (url.protocol === "https:" ? "443" : "80");
    return this.allow.has(hostOf(url)) || this.allow.has(`${hostOf(url)}:${port}`);
  }
}

/** Without the brackets of IPv6 and the final dot of a full name. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$|\.$/g, "").toLowerCase();

async function makeAgents() {
  const { Agent } = await import("undici");
  const common = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, connections: 16 };
  return {
    guarded: new Agent({ ...common, connect: { timeout: CONNECT_MS, lookup: guardedLookup } }),
    open: new Agent({ ...common, connect: { timeout: CONNECT_MS } }),
  };
}

/** Resolves a name for a connection. A single non-public address refuses the name. */
const guardedLookup: LookupFunction = (hostname, options, done) => {
  dnsLookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, "", 0);
    if (found.length === 0 || found.some(({ address }) => !isPublicAddress(address))) {
      return done(new OutgoingError("address_refused", "The name leads to an address that is not public."), "", 0);
    }
    if (options.all) return done(null, found);
    return done(null, found[0]!.address, found[0]!.family);
  });
};

function faultOf(cause: unknown): OutgoingError {
  if (cause instanceof OutgoingError) return cause;
  const { name, code } = cause as { name?: string; code?: string };
  return name === "TimeoutError" || /TIMEOUT/.test(code ?? "")
    ? new OutgoingError("timeout", "No answer in time.")
    : new OutgoingError("no_answer", "The server cannot be reached, or broke off.");
}

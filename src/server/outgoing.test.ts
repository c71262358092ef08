import dns from "node:dns";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostList, isPublicAddress, Outgoing } from "./outgoing.js";

let asked = 0;
const server = createServer((request, response) => {
  asked++;
  if (request.url === "/moved") response.writeHead(302, { location: "/" }).end();
  else if (request.url === "/long") response.end("x".repeat(70_000));
  else if (request.url !== "/silent") response.end("pong");
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const faultOf = async (outgoing: Outgoing, url: string) => {
  try {
    await outgoing.send(url, { method: "GET" });
    return null;
  } catch (cause) {
    return (cause as { fault?: string }).fault;
  }
};

describe("the guard of outgoing calls", () => {
  it.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "0",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "127。0。0。1",
    "①②⑦.0.0.1",
    "%31%32%37.0.0.1",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[fe80::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "8.8.8.8",
    "[2606:4700::1111]",
  ])("refuses the address %s, over https too", async (host) => {
    const outgoing = new Outgoing();
    for (const protocol of ["http", "https"]) {
      expect(await faultOf(outgoing, `${protocol}://${host}:${port}/`), protocol).toBe("address_refused");
    }
    await outgoing.close();
  });

  it("refuses names that lead to this machine when they are resolved for the connection", async () => {
    const before = asked;
    const outgoing = new Outgoing();
    const { address } = await dns.promises.lookup("localhost");
    expect(["127.0.0.1", "::1"]).toContain(address);
    for (const host of ["localhost", "LOCALHOST"]) {
      expect(await faultOf(outgoing, `https://${host}:${port}/`), host).toBe("address_refused");
    }
    expect(asked).toBe(before);
    await outgoing.close();
  });

  it("refuses http, other protocols and passwords", async () => {
    const outgoing = new Outgoing();
    expect(await faultOf(outgoing, "http://example.org/")).toBe("address_refused");
    for (const url of ["ftp://example.org/", "file:///etc/passwd", "https://a:b@example.org/", "nothing"]) {
      expect(await faultOf(outgoing, url), url).toBe("bad_address");
    }
  });

  it("calls hosts of the allow-list and no other port or host", async () => {
    const outgoing = new Outgoing({ allow: hostList(` localhost:${port}, 127.0.0.1 `), timeoutMs: 300 });
    expect(await outgoing.send(`http://localhost:${port}/`, { method: "GET" })).toEqual({ status: 200, text: "pong" });
    expect((await outgoing.send(`http://127.0.0.1:${port}/`, { method: "GET" })).status).toBe(200);
    expect(await faultOf(outgoing, `http://localhost:${port + 1}/`)).toBe("address_refused");
    // A redirect is an answer like any other: it is not followed.
    const before = asked;
    expect((await outgoing.send(`http://localhost:${port}/moved`, { method: "GET" })).status).toBe(302);
    expect(asked).toBe(before + 1);
    expect(await faultOf(outgoing, `http://localhost:${port}/long`)).toBe("too_large");
    expect(await faultOf(outgoing, `http://localhost:${port}/silent`)).toBe("timeout");
    await outgoing.close();
  });

  it("knows public addresses", () => {
    for (const address of ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "2a00:1450:4001::1"]) {
      expect(isPublicAddress(address), address).toBe(true);
    }
    for (const address of ["::ffff:8.8.8.8", "192.0.0.8", "2001:db8::1", "nonsense", ""]) {
      expect(isPublicAddress(address), address).toBe(false);
    }
  });
});

import { describe, expect, it } from "vitest";
import { linearTicks, logTicks, niceDomain } from "./ticks.ts";
import { tickText, valueText } from "./value-text.ts";

describe("ticks", () => {
  it("are round numbers inside the domain", () => {
    expect(linearTicks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(linearTicks(-0.3, 0.3, 6)).toEqual([-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]);
    expect(linearTicks(3, 1003, 4)).toEqual([500, 1000]);
    expect(linearTicks(5, 5, 4)).toEqual([5]);
  });

  it("widen a domain to round ends that hold it", () => {
    expect(niceDomain([0.03, 0.94], 5)).toEqual([0, 1]);
    expect(niceDomain([-0.02, 0.013], 4)).toEqual([-0.02, 0.02]);
  });

  it("of a logarithmic axis are powers of ten, with 2 and 5 times them while they are few", () => {
    expect(logTicks(1, 100)).toEqual([1, 2, 5, 10, 20, 50, 100]);
    expect(logTicks(1, 1e6)).toEqual([1, 10, 100, 1e3, 1e4, 1e5, 1e6]);
  });

  it("are written with the digits that tell them apart, and their unit", () => {
    expect([0, 0.25, 0.5].map(tickText({ format: "percent" }, [0, 0.25, 0.5]))).toEqual(["0%", "25%", "50%"]);
    expect([0, 0.005].map(tickText({ format: "percent" }, [0, 0.005]))).toEqual(["0.0%", "0.5%"]);
    expect([-0.1, 0, 0.1].map(tickText({ format: "points" }, [-0.1, 0, 0.1]))).toEqual(["−10 pp", "0 pp", "+10 pp"]);
    expect([0, 10_000].map(tickText({}, [0, 10_000]))).toEqual(["0", "10,000"]);
    expect(valueText({ format: "percent" }, 0.6741)).toBe("67.4%");
    expect(valueText({}, 1234)).toBe("1,234");
  });
});

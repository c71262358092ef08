/** About `count` round values from min to max: steps of 1, 2 or 5 times a power of ten. */
export function linearTicks(min: number, max: number, count: number): number[] {
  const step = niceStep(min, max, count);
  if (step === 0) return [min];
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => rounded((first + i) * step, step));
}

/** The domain widened to round ends. */
export function niceDomain([min, max]: readonly [number, number], count: number): [number, number] {
  const step = niceStep(min, max, count);
  if (step === 0) return [min, max];
  return [rounded(Math.floor(min / step + 1e-9) * step, step), rounded(Math.ceil(max / step - 1e-9) * step, step)];
}

/** Powers of ten in the domain, and 2 and 5 times them if there are few. */
export function logTicks(min: number, max: number): number[] {
  const from = Math.floor(Math.log10(min));
  const to = Math.ceil(Math.log10(max));
  const factors = to - from <= 2 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil((to - from) / 8));
  const ticks: number[] = [];
  for (let power = from; power <= to; power += every) {
    ticks.push(...factors.map((factor) => Number(`${factor}e${power}`)));
  }
  return ticks.filter((tick) => tick >= min * (1 - 1e-9) && tick <= max * (1 + 1e-9));
}

function niceStep(min: number, max: number, count: number): number {
  if (!(max > min)) return 0;
  const rough = (max - min) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** 3 × 0.1 is 0.3. */
function rounded(value: number, step: number): number {
  const digits = Math.min(100, Math.max(0, Math.ceil(-Math.log10(step)) + 1));
  return Number(value.toFixed(digits));
}

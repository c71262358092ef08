// A browser writes a PNG quickly, not small. The same picture with a palette, where it has few colours, and the best compression.
import { crc32 as crcOf, deflateSync, inflateSync } from "node:zlib";

/** Picture of 8-bit RGB or RGBA without transparency, as browsers write screenshots. */
export function smallerPng(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = { 2: 3, 6: 4 }[png[25]];
  if (png[24] !== 8 || channels === undefined || png[28] !== 0) return png;
  const pixels = pixelsOf(png, { width, height, channels });
  const found = STEPS.map((step) => paletteOf(pixels, { width, height, channels, step })).find((one) => one !== null);
  if (!found) return png;
  const { palette, indices } = found;
  const colours = Buffer.from([...palette.keys()].flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255]));
  const head = Buffer.from(png.subarray(16, 29));
  head[9] = 3;
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(indices, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Edges of letters have many shades that no eye tells apart: they are rounded as little as a palette allows. */
const STEPS = [1, 3, 5, 15, 17];

/** Colours in steps, and a row of filter type 0 for each row of pixels; null: there are more colours than a palette holds. */
function paletteOf(pixels, { width, height, channels, step }) {
  const rounded = (value) => Math.round(value / step) * step;
  const palette = new Map();
  const indices = Buffer.alloc(height * (width + 1));
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += channels) {
      const colour = rounded(pixels[at]) * 65536 + rounded(pixels[at + 1]) * 256 + rounded(pixels[at + 2]);
      if (!palette.has(colour)) palette.set(colour, palette.size);
      indices[y * (width + 1) + 1 + x] = palette.get(colour);
    }
    if (palette.size > 256) return null;
  }
  return { palette, indices };
}

function pixelsOf(png, { width, height, channels }) {
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const data = inflateSync(Buffer.concat(parts));
  const row = width * channels;
  const pixels = Buffer.alloc(height * row);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (row + 1)];
    for (let x = 0; x < row; x++) {
      const left = x < channels ? 0 : pixels[y * row + x - channels];
      const up = y === 0 ? 0 : pixels[(y - 1) * row + x];
      const corner = x < channels || y === 0 ? 0 : pixels[(y - 1) * row + x - channels];
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[y * row + x] = data[y * (row + 1) + 1 + x] + predicted;
    }
  }
  return pixels;
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(guess - one));
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crcOf(body));
  return Buffer.concat([length, body, check]);
}

/** Quarter turns, clockwise, of pictures and of boxes in them. */
import type { Box, Picture } from "../../domain/media.ts";
import type { QuarterTurns } from "../models.ts";

/** The picture is turned in tiles of this side, which fit the processor's cache. */
const TILE = 32;

/** `picture` turned clockwise by a quarter. */
export function turnedQuarter({ width, height, data }: Picture): Picture {
  const out = new Uint8Array(data.length);
  for (let tileY = 0; tileY < height; tileY += TILE) {
    for (let tileX = 0; tileX < width; tileX += TILE) {
      const endY = Math.min(height, tileY + TILE);
      const endX = Math.min(width, tileX + TILE);
      for (let x = tileX; x < endX; x++) {
        for (let y = tileY; y < endY; y++) {
          const from = (y * width + x) * 3;
          const to = (x * height + height - 1 - y) * 3;
          out[to] = data[from] as number;
          out[to + 1] = data[from + 1] as number;
          out[to + 2] = data[from + 2] as number;
        }
      }
    }
  }
  return { width: height, height: width, data: out };
}

/** Where `box` (in ratios) lies once its picture is turned clockwise by `turns` quarters. */
export function turnedBox({ x, y, w, h }: Box, turns: QuarterTurns): Box {
  switch (turns) {
    case 0:
      return { x, y, w, h };
    case 1:
      return { x: 1 - y - h, y: x, w: h, h: w };
    case 2:
      return { x: 1 - x - w, y: 1 - y - h, w, h };
    case 3:
      return { x: y, y: 1 - x - w, w: h, h: w };
  }
}

/** The turns that undo `turns`. */
export function undone(turns: QuarterTurns): QuarterTurns {
  return ((4 - turns) % 4) as QuarterTurns;
}

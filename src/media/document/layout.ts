/** Layout analysis of a page: PicoDet on the CDLA classes (models/page-layout). */
import { LAYOUT_REGIONS_MAX } from "../../base/limits.ts";
import type { Box, Picture } from "../../domain/media.ts";
import { mediaModelFile } from "../../runtime/media-models.ts";
import { floats, openGraph } from "../../inference/onnx.ts";
import { REGION_CLASSES, type Region } from "../models.ts";
import { resize } from "../image/resize.ts";

const WIDTH = 608;
const HEIGHT = 800;
const SCORE_MIN = 0.4;
/** Boxes that overlap a better one by more than this are dropped: of the same class, and of another. */
const SAME_CLASS_OVERLAP_MAX = 0.5;
const OTHER_CLASS_OVERLAP_MAX = 0.7;

/** Opens the model, which gives the regions of a page, best first; boxes in ratios of it. Errors: those of mediaModelFile. */
export async function openLayout(): Promise<(page: Picture) => Promise<Region[]>> {
  const graph = await openGraph(await mediaModelFile("page-layout", "layout.onnx"));
  return async (page) => {
    const { data } = resize(page, { width: WIDTH, height: HEIGHT, filter: "bilinear" });
    const { scores, boxes } = await graph({ image: { type: "uint8", data, dims: [1, HEIGHT, WIDTH, 3] } });
    return distinct(candidates(floats(scores), floats(boxes)));
  };
}

/** Every box of every class with a sufficient score, best first. */
function candidates(scores: Float32Array, boxes: Float32Array): Region[] {
  const found: Region[] = [];
  // By index: an iterator over all classes of all boxes takes longer than the rest of the function.
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] as number;
    if (score <= SCORE_MIN) continue;
    const name = REGION_CLASSES[index % REGION_CLASSES.length] as Region["class"];
    const box = boxAt(boxes, Math.floor(index / REGION_CLASSES.length));
    if (box.w > 0 && box.h > 0) found.push({ class: name, score, box });
  }
  return found.sort((a, b) => b.score - a.score);
}

/** Ratios of the page, inside it. */
function boxAt(boxes: Float32Array, index: number): Box {
  const [left = 0, top = 0, right = 0, bottom = 0] = boxes.subarray(index * 4, index * 4 + 4);
  const ratio = (value: number, side: number) => Math.min(1, Math.max(0, value / side));
  const x = ratio(left, WIDTH);
  const y = ratio(top, HEIGHT);
  return { x, y, w: ratio(right, WIDTH) - x, h: ratio(bottom, HEIGHT) - y };
}

function distinct(regions: Region[]): Region[] {
  const kept: Region[] = [];
  for (const region of regions) {
    if (kept.length === LAYOUT_REGIONS_MAX) break;
    const covered = kept.some(
      (better) => overlap(better.box, region.box) > (better.class === region.class ? SAME_CLASS_OVERLAP_MAX : OTHER_CLASS_OVERLAP_MAX),
    );
    if (!covered) kept.push(region);
  }
  return kept;
}

/** Intersection over union, 0-1. */
function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / (a.w * a.h + b.w * b.h - width * height);
}

/** Reads the text of a picture: detection, page turn, recognition and reading order (models/ppocr). */
import { OCR_MAX_LINES } from "../../../base/limits.ts";
import type { Box, Picture } from "../../../domain/media.ts";
import type { QuarterTurns, OcrText } from "../../models.ts";
import type { DetectedLine, Detector } from "./detect.ts";
import { readingOrder } from "./reading-order.ts";
import { lineWidth, type ReadLine, type Recogniser, type Script } from "./recognise.ts";
import { type Corners, cornerSides, type Point, runsVertically } from "./rectangle.ts";
import { turnedBox, turnedQuarter, undone } from "../rotation.ts";

const CONFIDENCE_MIN = 0.5;
/** Over this share of the summed length of lines: then the page lies on its side. */
const VERTICAL_SHARE = 0.5;
/** The longest lines tell whether a page stands on its head: read with less than this confidence, they are read turned too. */
const TELLING_LINES = 10;
const UPRIGHT_CONFIDENCE = 0.85;
/** A line that the Latin recogniser reads with less is read by the full one too. Clear Latin is read with 0.95 and more. */
const LATIN_CONFIDENCE = 0.9;
/** So is one with fewer characters than this many pixels each (at a height of 48) would give: Chinese is as wide as high. */
const CHARACTER_WIDTH_MAX = 64;

export interface ReaderModels {
  detector(): Promise<Detector>;
  recogniser(script: Script): Promise<Recogniser>;
}

/** A picture the way it is read. `turn`: quarters clockwise from the picture as given. */
interface Page {
  picture: Picture;
  turn: QuarterTurns;
  lines: DetectedLine[];
}

/** Lines in reading order; boxes in ratios of the picture as given. */
export async function readPicture(picture: Picture, models: ReaderModels): Promise<OcrText[]> {
  const page = await detectedPage(picture, await models.detector());
  if (page.lines.length === 0) return [];
  const { turned, lines } = await readLines(page, models);
  const turn = ((page.turn + (turned ? 2 : 0)) % 4) as QuarterTurns;
  const kept = lines.filter(({ text, confidence }) => text !== "" && confidence >= CONFIDENCE_MIN);
  return inReadingOrder(kept, page, turn);
}

async function detectedPage(picture: Picture, detector: Detector): Promise<Page> {
  const lines = await detector.lines(picture);
  if (!liesOnItsSide(lines)) return { picture, turn: 0, lines: strongest(lines) };
  const turned = turnedQuarter(picture);
  return { picture: turned, turn: 1, lines: strongest(await detector.lines(turned)) };
}

function liesOnItsSide(lines: readonly DetectedLine[]): boolean {
  const length = (some: readonly DetectedLine[]) => some.reduce((sum, { corners }) => sum + cornerSides(corners).width, 0);
  return length(lines.filter(({ corners }) => runsVertically(corners))) > VERTICAL_SHARE * length(lines);
}

function strongest(lines: DetectedLine[]): DetectedLine[] {
  return lines.length <= OCR_MAX_LINES ? lines : [...lines].sort((a, b) => b.score - a.score).slice(0, OCR_MAX_LINES);
}

interface PageLine extends ReadLine {
  corners: Corners;
}

/** Every line of the page, and whether the page had to be turned upside down to read it. */
async function readLines({ picture, lines }: Page, models: ReaderModels): Promise<{ turned: boolean; lines: PageLine[] }> {
  const byLength = lines.map(({ corners }) => corners).sort((a, b) => cornerSides(b).width - cornerSides(a).width);
  const telling = byLength.slice(0, TELLING_LINES);
  const { turned, lines: told } = await readTelling(picture, telling, models);
  const rest = byLength.slice(TELLING_LINES);
  const others = await readLatin(picture, turned ? rest.map(fromTheOtherEnd) : rest, models);
  return { turned, lines: [...told, ...(await reread(picture, others, models))] };
}

/** The telling lines, the way in which they are read with more confidence. The full recogniser decides what the Latin one cannot. */
async function readTelling(picture: Picture, corners: readonly Corners[], models: ReaderModels): Promise<{ turned: boolean; lines: PageLine[] }> {
  const upright = await readLatin(picture, corners, models);
  if (isClear(upright)) return { turned: false, lines: await reread(picture, upright, models) };
  const overturned = await readLatin(picture, corners.map(fromTheOtherEnd), models);
  if (isClear(overturned)) return { turned: true, lines: await reread(picture, overturned, models) };
  const [one, other] = [await reread(picture, upright, models), await reread(picture, overturned, models)];
  const turned = meanConfidence(other) > meanConfidence(one);
  return { turned, lines: turned ? other : one };
}

function isClear(lines: readonly ReadLine[]): boolean {
  return meanConfidence(lines) >= UPRIGHT_CONFIDENCE;
}

function fromTheOtherEnd([start, end, belowEnd, belowStart]: Corners): Corners {
  return [belowEnd, belowStart, start, end];
}

function meanConfidence(lines: readonly ReadLine[]): number {
  return lines.length === 0 ? 0 : lines.reduce((sum, { confidence }) => sum + confidence, 0) / lines.length;
}

async function readLatin(picture: Picture, lines: readonly Corners[], models: ReaderModels): Promise<PageLine[]> {
  const read = await (await models.recogniser("latin")).read(picture, lines);
  return lines.map((corners, index) => ({ corners, ...(read[index] as ReadLine) }));
}

/** What the Latin recogniser doubts is read by the full one too: the more confident text is kept. */
async function reread(picture: Picture, lines: readonly PageLine[], models: ReaderModels): Promise<PageLine[]> {
  const doubted = lines.filter(
    ({ text, confidence, corners }) => confidence < LATIN_CONFIDENCE || text.length * CHARACTER_WIDTH_MAX < lineWidth(corners),
  );
  if (doubted.length === 0) return [...lines];
  const full = await (await models.recogniser("all")).read(
    picture,
    doubted.map(({ corners }) => corners),
  );
  const better = new Map(doubted.map((line, index) => [line, full[index] as ReadLine]));
  return lines.map((line) => {
    const other = better.get(line);
    return other !== undefined && other.confidence > line.confidence ? { ...line, ...other } : line;
  });
}

function inReadingOrder(lines: readonly PageLine[], { picture, turn: pageTurn }: Page, turn: QuarterTurns): OcrText[] {
  const { width, height } = picture;
  const onPage = lines.map(({ corners }) => boundingBox(corners, picture));
  const more = ((turn - pageTurn + 4) % 4) as QuarterTurns;
  const upright = onPage.map((box) => turnedBox(box, more)).map(({ x, y, w, h }) => ({ x: x * width, y: y * height, w: w * width, h: h * height }));
  return readingOrder(upright).map((index) => {
    const { text, confidence } = lines[index] as PageLine;
    return { text, confidence, box: turnedBox(onPage[index] as Box, undone(pageTurn)), turn };
  });
}

/** In ratios of the picture, inside it. */
function boundingBox(corners: Corners, { width, height }: Picture): Box {
  const ratio = (of: (point: Point) => number, side: number) => corners.map((point) => Math.min(1, Math.max(0, of(point) / side)));
  const xs = ratio(({ x }) => x, width);
  const ys = ratio(({ y }) => y, height);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
}

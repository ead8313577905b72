/** OCR of a picture: text detection, page orientation, recognition and reading order (models/ppocr). */
import { OCR_MAX_LINES } from "../../../base/limits.ts";
import type { Box, Picture } from "../../../domain/media.ts";
import type { QuarterTurns, OcrText } from "../../models.ts";
import type { DetectedLine, Detector } from "./detect.ts";
import { readingOrder } from "./reading-order.ts";
import { lineWidth, type RecognisedLine, type Recogniser, type Script } from "./recognise.ts";
import { type Corners, cornerSides, type Point, runsVertically } from "./rectangle.ts";
import { turnedBox, turnedQuarter, undone } from "../rotation.ts";

const CONFIDENCE_MIN = 0.5;
/** A page lies on its side when lines that run vertically make up more than this share of the summed length of lines. */
const VERTICAL_SHARE = 0.5;
/** The longest lines tell whether a page is upside down: recognised with less than UPRIGHT_CONFIDENCE, they are tried turned too. */
const TELLING_LINES = 10;
const UPRIGHT_CONFIDENCE = 0.85;
/** The full recogniser also gets lines that the Latin one gives a lower confidence. Clear Latin text gets 0.95 and more. */
const LATIN_CONFIDENCE = 0.9;
/** And lines whose characters are wider than this, in pixels at a height of 48: Chinese ones are about as wide as high. */
const CHARACTER_WIDTH_MAX = 64;

export interface OcrModels {
  detector(): Promise<Detector>;
  recogniser(script: Script): Promise<Recogniser>;
}

/** A picture turned for recognition. `turn`: quarters clockwise from the picture as given. */
interface Page {
  picture: Picture;
  turn: QuarterTurns;
  lines: DetectedLine[];
}

/** Lines in reading order; boxes in ratios of the picture as given. */
export async function recogniseText(picture: Picture, models: OcrModels): Promise<OcrText[]> {
  const page = await detectedPage(picture, await models.detector());
  if (page.lines.length === 0) return [];
  const { turned, lines } = await recogniseLines(page, models);
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

interface PageLine extends RecognisedLine {
  corners: Corners;
}

/** The text of every line of the page; `turned`: the page is upside down. */
async function recogniseLines({ picture, lines }: Page, models: OcrModels): Promise<{ turned: boolean; lines: PageLine[] }> {
  const byLength = lines.map(({ corners }) => corners).sort((a, b) => cornerSides(b).width - cornerSides(a).width);
  const telling = byLength.slice(0, TELLING_LINES);
  const { turned, lines: told } = await recogniseTelling(picture, telling, models);
  const rest = byLength.slice(TELLING_LINES);
  const others = await recogniseLatin(picture, turned ? rest.map(fromTheOtherEnd) : rest, models);
  return { turned, lines: [...told, ...(await recogniseAgain(picture, others, models))] };
}

/** The longest lines in the orientation with more confidence. The full recogniser decides what the Latin one cannot. */
async function recogniseTelling(picture: Picture, corners: readonly Corners[], models: OcrModels): Promise<{ turned: boolean; lines: PageLine[] }> {
  const upright = await recogniseLatin(picture, corners, models);
  if (isClear(upright)) return { turned: false, lines: await recogniseAgain(picture, upright, models) };
  const overturned = await recogniseLatin(picture, corners.map(fromTheOtherEnd), models);
  if (isClear(overturned)) return { turned: true, lines: await recogniseAgain(picture, overturned, models) };
  const [one, other] = [await recogniseAgain(picture, upright, models), await recogniseAgain(picture, overturned, models)];
  const turned = meanConfidence(other) > meanConfidence(one);
  return { turned, lines: turned ? other : one };
}

function isClear(lines: readonly RecognisedLine[]): boolean {
  return meanConfidence(lines) >= UPRIGHT_CONFIDENCE;
}

function fromTheOtherEnd([start, end, belowEnd, belowStart]: Corners): Corners {
  return [belowEnd, belowStart, start, end];
}

function meanConfidence(lines: readonly RecognisedLine[]): number {
  return lines.length === 0 ? 0 : lines.reduce((sum, { confidence }) => sum + confidence, 0) / lines.length;
}

async function recogniseLatin(picture: Picture, lines: readonly Corners[], models: OcrModels): Promise<PageLine[]> {
  const recognised = await (await models.recogniser("latin"))(picture, lines);
  return lines.map((corners, index) => ({ corners, ...(recognised[index] as RecognisedLine) }));
}

/** Runs the full recogniser on lines that the Latin one doubts, and keeps the more confident text of each. */
async function recogniseAgain(picture: Picture, lines: readonly PageLine[], models: OcrModels): Promise<PageLine[]> {
  const doubted = lines.filter(
    ({ text, confidence, corners }) => confidence < LATIN_CONFIDENCE || text.length * CHARACTER_WIDTH_MAX < lineWidth(corners),
  );
  if (doubted.length === 0) return [...lines];
  const full = await (await models.recogniser("all"))(
    picture,
    doubted.map(({ corners }) => corners),
  );
  const better = new Map(doubted.map((line, index) => [line, full[index] as RecognisedLine]));
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

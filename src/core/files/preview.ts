import { type Static, Type } from "@sinclair/typebox";
import { Fault } from "../../base/fault.ts";
import { PREVIEW_MAX_SIDE_PIXELS, PREVIEW_SIDE_PIXELS } from "../../base/limits.ts";
import { record } from "../audit/record.ts";
import { type Call, operation, READ } from "../operation.ts";
import { ById } from "../schema.ts";
import { readableUnit } from "../units/read.ts";
import { sourceOf } from "./drafts.ts";

const NO_PREVIEW = "no such preview";
const WHOLE = { x: 0, y: 0, w: 1, h: 1 };
const Previewed = Type.Composite([
  ById,
  Type.Object({
    size: Type.Optional(Type.Integer({ minimum: 1, default: PREVIEW_SIDE_PIXELS, description: "Longer side of the picture in pixels." })),
    whole: Type.Optional(
      Type.Boolean({ default: false, description: "Of a Unit with a box: the page or picture that the box lies on, instead of what is in it." }),
    ),
  }),
]);

/** Errors: `not_found`, the same for an unknown Unit, a hidden one, and one that shows nothing. */
export const preview = operation({
  name: "preview",
  summary: "A picture of a Unit: the page, the crop, the frame, the waveform",
  action: "unit.preview",
  access: READ,
  input: Previewed,
  output: null,
  async run({ view, input: { id, size = PREVIEW_SIDE_PIXELS, whole = false }, services: { extractor } }: Call<Static<typeof Previewed>>) {
    const { tenant, caller } = view;
    const unit = await readableUnit(view, id);
    await record(view, "unit.preview", { target: id });
    const file = unit === null ? null : await tenant.reader.files.ofUnit(unit.uid);
    if (unit === null || file === null) throw new Fault("not_found", NO_PREVIEW);
    const maxSide = Math.min(PREVIEW_MAX_SIDE_PIXELS, size);
    const locator = whole && unit.locator?.kind === "bbox" ? { ...unit.locator, ...WHOLE } : unit.locator;
    const shown = await tenant.objects.onDisk(file.sha256, (path) => extractor.preview(sourceOf(file, path), { locator, maxSide }, caller.signal));
    if (shown === null) throw new Fault("not_found", NO_PREVIEW);
    return shown;
  },
});

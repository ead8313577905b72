/** What `strata bench` measures with, below the service. */
export { runtimeDirectory } from "../adapter/sqlite/data-directory.ts";
export { type Measured, type Measurement, measureApart } from "../media/bench.ts";
export { decodePicture, encodePicture } from "../media/image/decode.ts";
export { HAS_MEDIA_MODELS, mediaModelFile } from "../runtime/media-models.ts";

/** What `strata bench` measures with, below the service. */
export { roundToStored } from "../adapter/sqlite/vector-codec.ts";
export type { Measured, Measurement } from "../media/bench.ts";
export { decodePicture, encodePicture } from "../media/image/decode.ts";
export { HAS_MEDIA_MODELS, mediaModelFile } from "../runtime/media-models.ts";

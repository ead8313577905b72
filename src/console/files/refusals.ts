/** Files that the service does not take, and what is said of them. */
import { ApiError } from "../api.ts";
import { bytes } from "../format.ts";

/** As the service limits a file; a test holds them equal. */
export const FILE_MAX_BYTES = 512 * 1024 * 1024;

/** Why a file is not worth sending; null: it is. */
export function refusalOf({ size }: Pick<File, "size">): ApiError | null {
  if (size === 0) return new ApiError(400, "bad_request", "the file is empty");
  if (size <= FILE_MAX_BYTES) return null;
  return new ApiError(413, "payload_too_large", `the file has ${bytes(size)}, and one may have ${bytes(FILE_MAX_BYTES)}: divide it`);
}

/** The same bytes are refused again for what they are. */
export function mayHelpAgain({ status }: ApiError): boolean {
  return status !== 400 && status !== 413;
}

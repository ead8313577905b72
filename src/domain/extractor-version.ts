/** Which extractor made the Units of a file. */
import type { FileFormat } from "./media.ts";

/** A version for each kind of file. */
export type ExtractorVersions = Readonly<Record<FileFormat["kind"], number>>;

/**
 * Today's extractors. A version is raised when the same file would give other Units, or when files of this kind are
 * recognised as another one: what an older version made is then taken through today's by core/files/reread.ts. Files
 * stored before versions were kept are of version 1.
 */
export const EXTRACTOR_VERSIONS: ExtractorVersions = { picture: 1, document: 5, sound: 1, video: 1, log: 2 };

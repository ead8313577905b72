/** LanceDB for this folder. The only importer of the package. */
import type * as Lance from "@lancedb/lancedb";
import { setNativeEnvironment } from "../../runtime/native.ts";

export type LanceDb = typeof Lance;
export type { Session, Table } from "@lancedb/lancedb";

/** Loads the package. It reads these variables when it is loaded: its warnings would go to standard error, and statistics of an index would hold its centroids. */
export function loadLanceDb(): LanceDb {
  setNativeEnvironment("LANCEDB_LOG", "error");
  setNativeEnvironment("LANCE_INCLUDE_VECTOR_CENTROIDS", "false");
  return require("@lancedb/lancedb") as LanceDb;
}

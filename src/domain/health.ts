/** Whether the service can do its work, as its parts last said. */
import { PLANES, type Plane } from "./plane.ts";

/** Why the catalog of a namespace does not work. */
export type StorageFailure = "not opened" | "not read" | "not written" | "damaged";

/** State of the running service. `vectorIndex` names the vector tables; `catalog` says what fails in some namespace. */
export interface Health {
  status: "ok" | "degraded" | "down";
  catalog: StorageFailure | null;
  vectorIndex: string[];
  inference: boolean;
}

/** What works. Of the indexes: in every namespace that is open; of catalogs, what last failed in any. */
export interface Working {
  inference: boolean;
  planes: readonly Plane[];
  fulltext: boolean;
  catalog: StorageFailure | null;
}

/** `down`: no plane's vectors can be searched, so that a search is refused; `degraded`: some part does not work. */
export function healthOf({ inference, planes, fulltext, catalog }: Working): Health {
  const whole = inference && fulltext && catalog === null && planes.length === PLANES.length;
  return { status: planes.length === 0 ? "down" : whole ? "ok" : "degraded", catalog, vectorIndex: [...planes], inference };
}

/** Whether the service can do its work, as its parts last said. */
import { PLANES, type Plane } from "./plane.ts";

/** State of the running service. `vectorIndex` names the vector tables. */
export interface Health {
  status: "ok" | "degraded" | "down";
  vectorIndex: string[];
  inference: boolean;
}

/** What works. Of the indexes: in every namespace that is open. */
export interface Working {
  inference: boolean;
  planes: readonly Plane[];
  fulltext: boolean;
}

/** `down`: no plane's vectors can be searched, so that a search is refused; `degraded`: some part does not work. */
export function healthOf({ inference, planes, fulltext }: Working): Health {
  const status = planes.length === 0 ? "down" : inference && fulltext && planes.length === PLANES.length ? "ok" : "degraded";
  return { status, vectorIndex: [...planes], inference };
}

/** Whether the service can do its work, as its parts last said. */
import { PLANES, type Plane } from "../../domain/plane.ts";
import type { Health } from "../service.ts";

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

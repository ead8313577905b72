/** The page of the API at `/docs`: Swagger UI over `/v1/openapi.json`. It tells what every build has, and nothing of what is stored. */
import bundle from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import page from "./docs/index.html" with { type: "file" };
import start from "./docs/start.js" with { type: "file" };
import { SELF_ALONE, type Site } from "./static.ts";

export const DOCS: Site = {
  files: { "/docs": page, "/docs/start.js": start, "/docs/swagger-ui.js": bundle, "/docs/swagger-ui.css": style },
  // The icons of its style sheet are data: URLs.
  policy: { ...SELF_ALONE, "img-src": "'self' data:" },
};

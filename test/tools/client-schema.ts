/** `npm run client`: writes the types of `src/client` from the OpenAPI document. */
import { join } from "node:path";
import openapiTypeScript, { astToString } from "openapi-typescript";
import { version } from "../../package.json";
import { openApiDocument } from "../../src/http/openapi.ts";
import { ROUTES } from "../../src/http/routes.ts";

export const CLIENT_SCHEMA = join(import.meta.dir, "../../src/client/schema.d.ts");
const HEAD = "/** Types of the API, made from its OpenAPI document by `npm run client`. */\n\n";

/** The text that the file must have. */
export async function clientSchema(): Promise<string> {
  const document = openApiDocument(Object.values(ROUTES), version);
  return HEAD + astToString(await openapiTypeScript(JSON.stringify(document)));
}

if (import.meta.main) await Bun.write(CLIENT_SCHEMA, await clientSchema());

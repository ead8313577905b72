/** Files that `bun build` embeds (`with { type: "file" }`): the import is the file's path. */
declare module "*.wasm" {
  const path: string;
  export default path;
}
declare module "*.jpg" {
  const path: string;
  export default path;
}
declare module "*.pdf" {
  const path: string;
  export default path;
}
declare module "*.ogg" {
  const path: string;
  export default path;
}
declare module "*.mp4" {
  const path: string;
  export default path;
}
declare module "*.log" {
  const path: string;
  export default path;
}
declare module "*.css" {
  const path: string;
  export default path;
}
declare module "./docs/*" {
  const path: string;
  export default path;
}
declare module "swagger-ui-dist/swagger-ui-bundle.js" {
  const path: string;
  export default path;
}
declare module "*.md" {
  const path: string;
  export default path;
}

/** What build.ts fixes in the executable; undefined when the sources run as they are. */
declare const STRATA_VERSION: string | undefined;
declare const STRATA_ASSETS: import("./runtime/assets.ts").AssetsBuild | undefined;

declare module "*.ndjson" {
  const text: string;
  export default text;
}

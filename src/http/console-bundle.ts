/** Bundles the console for browsers: for build.ts, and for a service that runs from the sources. */
import { basename, join } from "node:path";

const PAGE = "index.html";
const ENTRY = join(import.meta.dir, "../console", PAGE);
/** Where the files are served; the page itself at `/`. */
const SERVED_UNDER = "/console/";

/** Paths of the bundled files in `folder`, by the URL path that serves them. Errors: those of the bundler. */
export async function bundleConsole(folder: string): Promise<Record<string, string>> {
  const { outputs } = await Bun.build({
    entrypoints: [ENTRY],
    outdir: folder,
    target: "browser",
    minify: true,
    publicPath: SERVED_UNDER,
    naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return Object.fromEntries(outputs.map(({ path }) => [basename(path) === PAGE ? "/" : SERVED_UNDER + basename(path), path]));
}

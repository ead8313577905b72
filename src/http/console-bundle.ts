/** Bundles the console for browsers: used by build.ts, and by a server that runs from the sources. */
import { join } from "node:path";

/** A file as it is served. */
export interface ConsoleFile {
  /** Without a folder; every name but `index.html` has a hash of the content in it. */
  name: string;
  mime: string;
  /** Base64 of the gzipped bytes. */
  gzip: string;
}

const ENTRY = join(import.meta.dir, "../console/index.html");
const PUBLIC_PATH = "/console/";

/** Errors: those of the bundler, which names file and line. */
export async function bundleConsole(): Promise<ConsoleFile[]> {
  const built = await Bun.build({
    entrypoints: [ENTRY],
    target: "browser",
    minify: true,
    publicPath: PUBLIC_PATH,
    naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return Promise.all(
    built.outputs.map(async (output) => {
      const bytes = new Uint8Array(await output.arrayBuffer());
      return { name: output.path.replace(/^.*\//, ""), mime: output.type, gzip: Buffer.from(Bun.gzipSync(bytes, { level: 9 })).toString("base64") };
    }),
  );
}

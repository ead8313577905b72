/**
 * The files of the console, bundled. The executable has this module filled in by build.ts; from the sources, the console
 * is bundled when it is first asked for.
 */
import { once } from "../base/once.ts";
import { bundleConsole, type ConsoleFile } from "./console-bundle.ts";

export const consoleFiles: () => Promise<readonly ConsoleFile[]> = once(() => bundleConsole());

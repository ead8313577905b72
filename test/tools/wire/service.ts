/** The service under recording: the executable on a free port, with nothing of this machine's environment. */
import { join } from "node:path";

export interface ServiceOptions {
  executable: string;
  /** Holds the unpacked libraries for all services of a recording. */
  home: string;
  /** Name of the data directory in `home`. */
  data: string;
  flags?: readonly string[];
  env?: Record<string, string>;
}

export interface RunningService {
  port: number;
  /** Lets running requests finish and waits for the end. Errors: when it ends with another status than 0. */
  stop(): Promise<void>;
}

const START_MAX_MS = 180_000;

/** Starts it and waits until it listens. Errors: when it ends or says nothing before. */
export async function startService({ executable, home, data, flags = [], env = {} }: ServiceOptions): Promise<RunningService> {
  const runtime = join(home, "runtime");
  const command = [executable, "serve", "--data", join(home, data), "--runtime", runtime, "--port", "0", ...flags];
  // An empty PATH: whether this machine has ffmpeg must not show.
  const child = Bun.spawn(command, { env: { PATH: "/nonexistent", TMPDIR: home, ...env }, stdout: "ignore", stderr: "pipe", stdin: "ignore" });
  const timer = setTimeout(() => child.kill("SIGKILL"), START_MAX_MS);
  let said = "";
  const listening = Promise.withResolvers<number>();
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) {
      said += decoder.decode(chunk, { stream: true });
      const port = /listening on http:\/\/\S+:(\d+)\n/.exec(said)?.[1];
      if (port !== undefined) listening.resolve(Number(port));
    }
    listening.reject(new Error(`the service ended before it listened:\n${said}`));
  })();
  const port = await listening.promise.finally(() => clearTimeout(timer));
  return {
    port,
    async stop() {
      child.kill("SIGTERM");
      await reading;
      const status = await child.exited;
      if (status !== 0) throw new Error(`the service ended with status ${status}:\n${said.slice(-2_000)}`);
    },
  };
}

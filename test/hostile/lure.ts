/** What a reader that follows references would reach: a server that must never be called, a file that must never be read, a folder that must stay empty. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../support/scratch.ts";
import { SECRET } from "./case.ts";

let calls = 0;
const server = Bun.listen({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    open(socket) {
      calls += 1;
      socket.end(`HTTP/1.0 200 OK\r\n\r\n${SECRET}`);
    },
    data() {},
  },
});
server.unref();

const folder = temporaryDirectory();
const file = join(temporaryDirectory(), "secret.txt");
writeFileSync(file, SECRET);

export const lure = {
  /** Of this machine: it needs no network to be reached. */
  url: (path: string) => `http://127.0.0.1:${server.port}/${path}`,
  host: `127.0.0.1:${server.port}`,
  file,
  fileUrl: `file://${file}`,
  folder,
  /** Connections to the server so far. */
  calls: () => calls,
  /** What was written into the folder. */
  written: () => readdirSync(folder),
};

/** HTTP as it stands on the wire: requests that stop half way, trickle, or hang up. */
import { connect, type Socket } from "node:net";

/** The head of a request with a body of `length` bytes; without one where it is absent. */
export function head(line: string, { token, type = "application/json", length }: { token?: string; type?: string; length?: number } = {}): string {
  const headers = ["Host: 127.0.0.1"];
  if (token !== undefined) headers.push(`Authorization: Bearer ${token}`);
  if (length !== undefined) headers.push(`Content-Type: ${type}`, `Content-Length: ${length}`);
  return [`${line} HTTP/1.1`, ...headers, "", ""].join("\r\n");
}

/** A connection, and everything that came over it. */
export class Wire {
  seen = "";
  open = true;
  private readonly socket: Socket;
  private readonly watchers = new Set<() => void>();

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1");
    this.socket.on("data", (chunk) => this.change(() => (this.seen += chunk.toString("latin1"))));
    // A reset is an end like any other.
    this.socket.on("error", () => {});
    this.socket.on("close", () => this.change(() => (this.open = false)));
  }

  send(bytes: string | Uint8Array): this {
    if (this.open) this.socket.write(bytes);
    return this;
  }

  /** Goes without a word. */
  hangUp(): void {
    this.socket.destroy();
  }

  /** Resolves when the other side has closed it, with what came until then. */
  async closed(): Promise<string> {
    await this.until(() => !this.open);
    return this.seen;
  }

  /** The status of the response number `count`, 1 by default; null when it was closed before. */
  async status(count = 1): Promise<number | null> {
    const statuses = () => [...this.seen.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    await this.until(() => statuses().length >= count || !this.open);
    return statuses()[count - 1] ?? null;
  }

  private change(what: () => void): void {
    what();
    for (const watcher of this.watchers) watcher();
  }

  private until(done: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!done()) return;
        this.watchers.delete(look);
        resolve();
      };
      this.watchers.add(look);
      look();
    });
  }
}

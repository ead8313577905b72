/** Sends the requests of a recording, one at a time, and writes down each with its response. */
import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { exchange, type Incoming } from "./exchange.ts";
import { inOrderOfIds, Names, normalHeader, REQUEST_ID } from "./normal.ts";

/** One line of a recording. */
export interface Line {
  /** The chapter, and what the request is about. */
  about: string;
  method: string;
  target: string;
  sent: [string, string][];
  /** Text; of bytes and of long bodies the length and the SHA-256. Null: none. */
  body: string | null;
  status: number;
  headers: [string, string][];
  framing: Incoming["framing"];
  /** Text, or of bytes the length and the SHA-256. */
  answer: string;
  /** What the chat endpoint was sent meanwhile. */
  chat?: string[];
}

export interface SendOptions {
  /** Goes as a bearer token; null: none. Default: that of the demo's admin. */
  token?: string | null;
  headers?: Record<string, string>;
  /** Text and bytes go as they are, anything else as JSON. */
  body?: unknown;
  /** The Content-Type; by default application/json with a body, and none without. Null: none. */
  type?: string | null;
  /** Another Content-Length than the body has. */
  length?: number;
  /** The Host header; null: none. */
  host?: string | null;
  /** Asked once before, unrecorded: the models then have read what the recorded request needs, inside their time limits. */
  warm?: boolean;
  /** For a listing of Units whose times of storing may or may not be equal: see inOrderOfIds. */
  storedTogether?: boolean;
}

export interface Answer {
  status: number;
  headers: [string, string][];
  text: string;
  bytes: Uint8Array;
  /** The parsed body; undefined when it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: chapters look into bodies whose shape is what is recorded
  json: any;
}

export const ADMIN = "strata_demo_admin";
const BODY_SHOWN_MAX_CHARS = 4_096;
/** Between two requests, so that what they store has other times: listings are ordered by them. */
export const PAUSE_MS = 3;
const TEXTUAL = /^(?:application\/json|text\/)/;

/** True for a response that tells how busy the machine was. */
function ranOutOfTime({ status, text }: Answer): boolean {
  return status === 429 || /ran out of its \d+ ms/.test(text);
}

function digest(bytes: Uint8Array): string {
  return `${bytes.length} bytes, sha256 ${createHash("sha256").update(bytes).digest("hex")}`;
}

export class Recorder {
  port = 0;
  count = 0;
  /** `METHOD path` of every request, without its query string. */
  readonly asked: string[] = [];
  /** Answers that another run may not give. */
  readonly hurried: string[] = [];
  /** What a chat endpoint of the recording was sent since the last request. */
  readonly chat: string[] = [];
  private readonly names = new Names();
  private readonly file: number;
  private chapter = "";

  constructor(path: string) {
    this.file = openSync(path, "w");
  }

  /** Names what follows. */
  begin(chapter: string): void {
    this.chapter = chapter;
  }

  /** Sends a request and writes it down. `what`: for the reader of a difference. */
  async send(method: string, target: string, options: SendOptions = {}, what = ""): Promise<Answer> {
    if (options.warm) await this.look(method, target, options);
    this.chat.length = 0;
    await Bun.sleep(PAUSE_MS);
    const { answer, line } = await this.ask(method, target, options);
    const about = [this.chapter, what].filter((part) => part !== "").join(": ");
    const chat = this.chat.splice(0).map((sent) => this.names.normalise(sent).text);
    writeSync(this.file, `${JSON.stringify({ about, ...line, ...(chat.length > 0 ? { chat } : {}) })}\n`);
    this.count += 1;
    this.asked.push(`${method} ${target.split("?")[0]}`);
    if (ranOutOfTime(answer)) this.hurried.push(`line ${this.count}, ${about}: ${method} ${target}`);
    return answer;
  }

  /** Asks without writing it down, for what has to be waited for. */
  async look(method: string, target: string, options: SendOptions = {}): Promise<Answer> {
    return (await this.ask(method, target, options)).answer;
  }

  close(): void {
    closeSync(this.file);
  }

  private async ask(method: string, target: string, options: SendOptions) {
    const body = bytesOf(options.body);
    const headers = this.headersOf(options, body);
    const response = await exchange(this.port, { method, target, headers, body: body ?? new Uint8Array() });
    const type = response.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
    const text = TEXTUAL.test(type) ? new TextDecoder().decode(response.body) : "";
    const answer: Answer = { status: response.status, headers: response.headers, text, bytes: response.body, json: jsonOf(text) };
    return { answer, line: this.lineOf({ method, target, headers, body }, response, options.storedTogether ? inOrderOfIds(text) : text) };
  }

  private headersOf({ token = ADMIN, headers = {}, type, length, host, body }: SendOptions, bytes: Uint8Array | null): [string, string][] {
    const sent: [string, string][] = host === null ? [] : [["Host", host ?? `127.0.0.1:${this.port}`]];
    if (token !== null) sent.push(["Authorization", `Bearer ${token}`]);
    const given = type === undefined && body !== undefined ? "application/json" : (type ?? null);
    if (given !== null) sent.push(["Content-Type", given]);
    sent.push(...Object.entries(headers));
    const chunked = Object.keys(headers).some((name) => name.toLowerCase() === "transfer-encoding");
    if (!chunked && (bytes !== null || length !== undefined)) sent.push(["Content-Length", String(length ?? bytes?.length)]);
    return sent;
  }

  private lineOf(
    request: { method: string; target: string; headers: [string, string][]; body: Uint8Array | null },
    { status, headers, body, framing }: Incoming,
    text: string,
  ): Omit<Line, "about"> {
    const { names } = this;
    const idOf = (all: [string, string][]) => all.find(([name]) => name.toLowerCase() === "x-request-id")?.[1] ?? null;
    const id = idOf(headers);
    const made = id === idOf(request.headers) ? null : id;
    const sent = request.headers.map(([name, value]): [string, string] => [name, normalHeader(names, name, value)]);
    const target = names.normalise(request.target).text;
    // The document of the API says itself what changed in it.
    const left = request.method === "GET" && request.target === "/v1/openapi.json";
    const { text: shown, changed } = names.normalise(made === null ? text : text.replaceAll(made, REQUEST_ID));
    const received = headers.map(([name, value]): [string, string] => {
      const own = name.toLowerCase() === "content-length" && (changed || left) && Number(value) === body.length;
      return [name, own ? "<length of the body>" : normalHeader(names, name, value, made)];
    });
    const answer = left ? "left out" : text === "" && body.length > 0 ? digest(body) : shown;
    return { method: request.method, target, sent, body: bodyShown(names, request.body), status, headers: received, framing, answer };
  }
}

function bytesOf(body: unknown): Uint8Array | null {
  if (body === undefined) return null;
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function bodyShown(names: Names, body: Uint8Array | null): string | null {
  if (body === null) return null;
  const text = Buffer.from(body).toString("utf8");
  const readable = body.length <= BODY_SHOWN_MAX_CHARS && Buffer.from(text).equals(Buffer.from(body));
  return readable ? names.normalise(text).text : digest(body);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

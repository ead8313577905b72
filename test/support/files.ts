/** Files in: a small world of its own, uploads by both ways, and what lies on the disk afterwards. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../src/base/hash.ts";
import { examineOpen, isSound } from "../../src/core/index/check.ts";
import type { Tenant } from "../../src/core/tenant.ts";
import type { Tier } from "../../src/domain/tier.ts";
import type { Answer, Harness, HarnessOptions } from "./harness.ts";
import { HOST, openHarness } from "./harness.ts";
import { hire } from "./people.ts";
import { rowsOf } from "./rows.ts";

export const FILES = "files";
export const MODELS = join(import.meta.dir, "../../models");
export const CLOCK = readFileSync(join(MODELS, "image-classifier/fixture/clock.png"));
export const SIGNAL = readFileSync(join(MODELS, "image-classifier/fixture/signal.png"));
export const PAGE = readFileSync(join(MODELS, "ppocr/fixture/page.png"));
export const SPEECH = readFileSync(join(MODELS, "whisper-tiny-en/fixture/jfk.wav"));

export interface World {
  h: Harness;
  /** An admin of the namespace `files` (Enterprise); works in `town`. */
  admin: string;
  /** Writers of `town`: ann and bob are in group `crew`, eve is in none. */
  ann: string;
  bob: string;
  eve: string;
}

/** An empty Enterprise namespace with a few people. */
export async function openWorld(options: HarnessOptions = {}): Promise<World> {
  const h = await openHarness({ ...options, seed: false });
  h.app.data.tables.putNamespace(FILES, "enterprise");
  const there = { namespace: FILES, scopes: ["town"], active_scope: "town" };
  return {
    h,
    admin: hire(h, "chief", { ...there, perms: ["read", "write", "admin"], scopes: ["*"] }),
    ann: hire(h, "ann", { ...there, groups: ["crew", "night"] }),
    bob: hire(h, "bob", { ...there, groups: ["crew"] }),
    eve: hire(h, "eve", there),
  };
}

/** Another namespace, with one writer of `town`. */
export function addNamespace({ app }: Harness, namespace: string, tier: Tier): void {
  app.data.tables.putNamespace(namespace, tier);
}

export async function tenantOf({ app }: Harness, namespace = FILES): Promise<Tenant> {
  const known = app.data.tables.namespace(namespace);
  if (known === null) throw new Error(`no namespace ${namespace}`);
  return app.tenant(known);
}

export interface UploadOptions {
  token: string;
  name?: string | null;
  /** Parameters beside the name. */
  query?: Record<string, string> | [string, string][];
  wait?: boolean;
  headers?: Record<string, string>;
}

export type Bytes = string | Uint8Array | ReadableStream;

/** Sends a file as the raw body. */
export function put(h: Pick<Harness, "call">, content: Bytes, options: UploadOptions): Promise<Answer> {
  const { token, name = "note.txt", query = {}, wait = true, headers = {} } = options;
  const parameters = new URLSearchParams(query);
  if (name !== null) parameters.set("name", name);
  if (wait) parameters.set("wait", "true");
  const type = { "content-type": "application/octet-stream" };
  return h.call("POST", `/v1/files?${parameters}`, { token, body: content, headers: { ...type, ...headers } });
}

/** One part of a form: a field, or a file when it has a `filename`. */
export interface Part {
  name: string;
  value: string | Uint8Array;
  filename?: string;
}

export const BOUNDARY = "----strata-test-boundary";

export function formBytes(parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Uint8Array {
  const pieces = parts.flatMap(({ name, value, filename }) => {
    const file = filename === undefined ? "" : `; filename="${filename}"`;
    const type = filename === undefined ? "" : "Content-Type: application/octet-stream\r\n";
    return [`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`, value, "\r\n"];
  });
  return Buffer.concat([...pieces, end].map((piece) => Buffer.from(piece as string)));
}

export function postForm(h: Pick<Harness, "call">, body: Bytes, token: string, query = "wait=true", path = "/v1/files"): Promise<Answer> {
  return h.call("POST", `${path}?${query}`, { token, body, headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` } });
}

/** A response as it is, for routes whose bodies are no JSON. */
export function raw(h: Harness, path: string, token: string, headers: Record<string, string> = {}): Promise<Response> {
  return h.http.handle(new Request(`http://${HOST}${path}`, { headers: { host: HOST, authorization: `Bearer ${token}`, ...headers } }));
}

export function outcome({ status, body }: Answer): string {
  return status < 300 ? String(status) : `${status} ${body.error}`;
}

/** A job when it has come to its end. */
export async function settled(h: Harness, job: string, token: string): Promise<Answer["body"]> {
  for (;;) {
    const { status, body } = await h.call("GET", `/v1/jobs/${job}`, { token });
    if (status !== 200) throw new Error(`the job is gone: ${JSON.stringify(body)}`);
    if (body.state === "done" || body.state === "failed") return body;
    await Bun.sleep(10);
  }
}

/** Names in `objects/`, without their folders; what is received right now is `incoming/…`. */
export function objectsIn(data: string, namespace = FILES): string[] {
  const folder = objectFolder(data, namespace);
  if (!existsSync(folder)) return [];
  const folders = readdirSync(folder);
  return folders.flatMap((name) => readdirSync(join(folder, name)).map((file) => (name === "incoming" ? `incoming/${file}` : file))).sort();
}

export function objectFolder(data: string, namespace = FILES): string {
  return join(data, "namespaces", namespace, "objects");
}

/** Indexes of a namespace that do not hold what its catalog does, and a broken chain. */
export async function faultsOf(h: Harness, namespace = FILES): Promise<string[]> {
  const tenant = await tenantOf(h, namespace);
  const reports = (await examineOpen(tenant)).filter((report) => !isSound(report));
  const chain = await rowsOf(tenant).ledger.verify();
  return [...reports.map((report) => JSON.stringify(report)), ...(chain.intact ? [] : [`the chain breaks: ${chain.reason}`])];
}

export { sha256Hex };

/** A WAV of 16 bits at 16 kHz: a tone of `hz` for `seconds`. */
export function tone(hz: number, seconds = 1): Uint8Array {
  const rate = 16_000;
  const samples = Int16Array.from({ length: rate * seconds }, (_, at) => 12_000 * Math.sin((2 * Math.PI * hz * at) / rate));
  return wav(Buffer.from(samples.buffer), rate);
}

/** PCM of 16 bits, mono, as a WAV. */
export function wav(pcm: Uint8Array, rate: number): Uint8Array {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(36 + pcm.length, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([head, pcm]);
}

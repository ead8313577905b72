/** A use case with its access rule and its schemas. It knows nothing of HTTP: HTTP and the command line are tables that name operations. */
import type { TObject, TSchema } from "@sinclair/typebox";
import type { FaultKind } from "../base/fault.ts";
import type { AuditAction } from "../domain/audit.ts";
import type { Perm } from "../domain/principal.ts";
import type { View } from "./access/view.ts";
import type { Receive } from "./files/receive.ts";
import type { Services } from "./services.ts";

export interface Access {
  /**
   * `public`: no credentials are looked at. `token-in-input`, and `first-run` while no token exists: none are needed, but
   * a token that is sent must be live.
   */
  admission: "public" | "caller" | "token-in-input" | "first-run";
  /** The caller needs any one of these; empty: authentication is enough. */
  anyOf: readonly Perm[];
  /** Only for callers of this namespace and the super-admin. */
  within?: string;
  /** The tier feature that the operation belongs to. */
  feature: "answers" | "audit" | null;
  /** Requests from pages of other sites are refused, and a session cookie counts only with our own `Origin`. */
  changesState: boolean;
  /** A request for what does not exist, or is hidden from the caller, is recorded like a denial. */
  recordsMissing?: true;
}

const NONE = { anyOf: [], feature: null, changesState: false } as const;
export const PUBLIC: Access = { ...NONE, admission: "public" };
export const AUTHENTICATED: Access = { ...NONE, admission: "caller" };
export const READ: Access = { ...NONE, admission: "caller", anyOf: ["read"] };
export const WRITE: Access = { ...NONE, admission: "caller", anyOf: ["write"], changesState: true };
export const REMOVE: Access = { ...WRITE, recordsMissing: true };
export const ADMINISTER: Access = { ...REMOVE, anyOf: ["admin"] };

/** What comes with a request, over HTTP or from the command line. */
export interface Sent {
  /** JSON: an object of the operation's members, or what the caller sent in its place. */
  input: unknown;
  /** JSON may hold values that nothing can keep: they are refused. Parameters are what their decoding gives. */
  form: "json" | "parameters";
  /** Names the request, so that repeating it changes nothing; null: it has no name. */
  idempotencyKey: string | null;
  /** The file that it brings; null: none. */
  file: Receive | null;
}

/** Takes what is known before the result. `event`: one of the operation's events; `data` fits its schema. */
export type Emit = (event: string, data: unknown) => void;

export interface Call<Input, V = View> {
  /** Null where an operation needs no caller. */
  view: V;
  input: Input;
  services: Services;
  /** Absent: nobody follows the work. */
  emit?: Emit;
}

export interface Operation<Input = unknown, Output = unknown, V = View> {
  /** Its id in the tables and in the OpenAPI document. */
  name: string;
  summary: string;
  /** The action of its rows in the audit chain; null: it leaves none. */
  action: AuditAction | null;
  access: Access;
  /** Schema of its input; null: it takes none. */
  input: TObject | null;
  /** Schema of its result; null: bytes. */
  output: TSchema | null;
  /** What it tells whoever follows its work, before the result: schemas by name. Absent: nothing. */
  events?: Readonly<Record<string, TSchema>>;
  /** Its own errors, besides those of its access rule and of any request. */
  faults?: readonly FaultKind[];
  /** From what was sent to its input; without it, `input` is checked. Errors: `bad_request` and `payload_too_large` with a pointer, and what the view does not allow. */
  parse?(sent: Sent, view: V, now: () => number): Input;
  /** Errors: as its file says. core/perform.ts records denials. */
  run(call: Call<Input, V>): Promise<Output>;
  /** Waiting that the result needs after the work, when its slot is free for others, and its namespace may be closed: the view tells who asked. */
  wait?(call: Call<Input, V>, output: Output): Promise<Output>;
}

/** An operation that may come without a caller. */
export type OpenOperation<Input = unknown, Output = unknown> = Operation<Input, Output, View | null>;

/** Of any kind, as the tables hold them. */
// biome-ignore lint/suspicious/noExplicitAny: a table holds operations of every input; core/perform.ts checks what each is given
export type AnyOperation = Operation<any, unknown, any>;

export function operation<Input, Output>(definition: Operation<Input, Output>): Operation<Input, Output> {
  return definition;
}

export function openOperation<Input, Output>(definition: OpenOperation<Input, Output>): OpenOperation<Input, Output> {
  return definition;
}

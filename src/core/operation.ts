/** A use case with its access rule and its schemas. It knows nothing of HTTP: every door (HTTP, the command line) is a table that names operations. */
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
  /** Any one of these; empty: authentication alone. */
  anyOf: readonly Perm[];
  /** Callers of this namespace alone, and the super-admin. */
  within?: string;
  /** The tier feature that the operation belongs to. */
  feature: "answers" | "audit" | null;
  /** No page of another site may ask for it, and a session cookie counts only with our own origin. */
  changesState: boolean;
  /** Whoever names what is not there, or not there for the caller, has tried to do it: that is recorded like a denial. */
  recordsMissing?: true;
}

const NONE = { anyOf: [], feature: null, changesState: false } as const;
export const PUBLIC: Access = { ...NONE, admission: "public" };
export const AUTHENTICATED: Access = { ...NONE, admission: "caller" };
export const READ: Access = { ...NONE, admission: "caller", anyOf: ["read"] };
export const WRITE: Access = { ...NONE, admission: "caller", anyOf: ["write"], changesState: true };
export const REMOVE: Access = { ...WRITE, recordsMissing: true };
export const ADMINISTER: Access = { ...REMOVE, anyOf: ["admin"] };

/** What comes with a request, whichever door it came by. */
export interface Sent {
  /** JSON: an object of the operation's members, or what the caller sent in its place. */
  input: unknown;
  /** JSON may hold values that nothing can keep: they are refused. Parameters are what their decoding gives. */
  form: "json" | "parameters";
  /** Names the request, so that repeating it does nothing twice; null: it has no name. */
  idempotencyKey: string | null;
  /** The file that it brings; null: none. */
  file: Receive | null;
}

export interface Call<Input, V = View> {
  /** Null where an operation needs no caller. */
  view: V;
  input: Input;
  services: Services;
}

export interface Operation<Input = unknown, Output = unknown, V = View> {
  /** Its id in every table and in the OpenAPI document. */
  name: string;
  summary: string;
  /** What its rows in the audit chain say was done or refused; null: it leaves none. */
  action: AuditAction | null;
  access: Access;
  /** The members that it takes; null: none. */
  input: TObject | null;
  /** Of its result; null: bytes. */
  output: TSchema | null;
  /** How it may fail, besides what its access rule and any request bring with them. */
  faults?: readonly FaultKind[];
  /** From what was sent to its input; without it, `input` is checked. Errors: `bad_request` and `payload_too_large` with a pointer, and what the view does not allow. */
  parse?(sent: Sent, view: V): Input;
  /** Errors: what its file says. A refusal is recorded by who calls it (core/perform.ts). */
  run(call: Call<Input, V>): Promise<Output>;
  /** What the caller waits for when the work is done and its place is free for others. */
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

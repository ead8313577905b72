import { afterAll, beforeAll, expect, test } from "bun:test";
import { createPublicKey, verify } from "node:crypto";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../../src/base/fault.ts";
import { type NoteSigner, openNoteSigner } from "../../src/store/note.ts";
import { temporaryDirectory } from "../support/scratch.ts";

const head = { seq: 42, row_hash: "0123456789abcdef".repeat(4) };
let root: string;
let signer: NoteSigner;
beforeAll(() => {
  root = temporaryDirectory();
  signer = openNoteSigner(join(root, "audit.key"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a note opens to the head that was signed, with the same key after a restart too", () => {
  const note = signer.sign("n", head);
  expect(signer.open("n", note)).toEqual(head);
  expect(openNoteSigner(join(root, "audit.key")).open("n", note)).toEqual(head);
  expect(statSync(join(root, "audit.key")).mode & 0o777).toBe(0o600);
});

test("it vouches for one namespace and one key", () => {
  const note = signer.sign("n", head);
  expect(signer.open("m", note)).toBeNull();
  expect(openNoteSigner(join(root, "other.key")).open("n", note)).toBeNull();
});

test("no changed character is taken", () => {
  const note = signer.sign("n", head);
  for (let at = 0; at < note.length; at += 1) {
    for (const other of ["A", "0", "\n", " "]) {
      if (note[at] === other) continue;
      const changed = note.slice(0, at) + other + note.slice(at + 1);
      expect({ at, other, head: signer.open("n", changed) }).toEqual({ at, other, head: null });
    }
  }
  expect(signer.open("n", `${note}\n`)).toBeNull();
  expect(signer.open("n", "")).toBeNull();
});

test("anybody can check it with the verifier key alone", () => {
  const note = signer.sign("n", head);
  const [name = "", id = "", key = ""] = signer.verifierKey.split(/\+(.*?)\+(.*)/s);
  const publicKey = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(key, "base64").subarray(1).toString("base64url") },
    format: "jwk",
  });
  const [body = "", signature = ""] = note.split("\n\n");
  expect(body).toBe(`strata/audit/n\n42\n${Buffer.from(head.row_hash, "hex").toString("base64")}`);
  expect(signature.startsWith(`— ${name} `)).toBe(true);
  const bytes = Buffer.from(signature.split(" ")[2] ?? "", "base64");
  expect(bytes.subarray(0, 4).toString("hex")).toBe(id);
  expect(verify(null, Buffer.from(`${body}\n`), publicKey, bytes.subarray(4))).toBe(true);
});

test("a damaged key is refused, not replaced", () => {
  const path = join(root, "bad.key");
  writeFileSync(path, "garbage");
  expect(() => openNoteSigner(path)).toThrow(StartError);
});

import { expect, test } from "bun:test";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { claimOf, createNoteSigner } from "../../src/adapter/sqlite/checkpoint.ts";

const head = { seq: 42, row_hash: "0123456789abcdef".repeat(4) };
const { privateKey } = generateKeyPairSync("ed25519");
const signer = createNoteSigner(privateKey);

test("a note opens to the head that was signed, for whoever has the same key", () => {
  const note = signer.sign("n", head);
  expect(signer.open("n", note)).toEqual(head);
  expect(createNoteSigner(privateKey).open("n", note)).toEqual(head);
});

test("it vouches for one namespace and one key", () => {
  const note = signer.sign("n", head);
  expect(signer.open("m", note)).toBeNull();
  expect(createNoteSigner(generateKeyPairSync("ed25519").privateKey).open("n", note)).toBeNull();
});

test("what it claims can be read without its key, and says which key that was", () => {
  const note = signer.sign("n", head);
  const forged = note.replace("\n42\n", "\n43\n");
  expect(claimOf("n", note)).toMatchObject({ head, keyId: signer.keyId });
  expect(claimOf("n", forged)).toMatchObject({ head: { ...head, seq: 43 }, keyId: signer.keyId });
  for (const other of [note.replace("strata-audit ", "other "), note.slice(1), ""]) expect(claimOf("n", other)).toBeNull();
  expect(claimOf("m", note)).toBeNull();
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

import { expect, test } from "bun:test";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { unverifiedHead, createCheckpointSigner } from "../../src/adapter/sqlite/checkpoint.ts";

const head = { seq: 42, row_hash: "0123456789abcdef".repeat(4) };
const { privateKey } = generateKeyPairSync("ed25519");
const signer = createCheckpointSigner(privateKey);

test("a checkpoint opens to the head that was signed, for whoever has the same key", () => {
  const checkpoint = signer.sign("n", head);
  expect(signer.open("n", checkpoint)).toEqual(head);
  expect(createCheckpointSigner(privateKey).open("n", checkpoint)).toEqual(head);
});

test("it vouches for one namespace and one key", () => {
  const checkpoint = signer.sign("n", head);
  expect(signer.open("m", checkpoint)).toBeNull();
  expect(createCheckpointSigner(generateKeyPairSync("ed25519").privateKey).open("n", checkpoint)).toBeNull();
});

test("what it claims can be read without its key, and says which key that was", () => {
  const checkpoint = signer.sign("n", head);
  const forged = checkpoint.replace("\n42\n", "\n43\n");
  expect(unverifiedHead("n", checkpoint)).toMatchObject({ head, keyId: signer.keyId });
  expect(unverifiedHead("n", forged)).toMatchObject({ head: { ...head, seq: 43 }, keyId: signer.keyId });
  for (const other of [checkpoint.replace("strata-audit ", "other "), checkpoint.slice(1), ""]) expect(unverifiedHead("n", other)).toBeNull();
  expect(unverifiedHead("m", checkpoint)).toBeNull();
});

test("no changed character is taken", () => {
  const checkpoint = signer.sign("n", head);
  for (let at = 0; at < checkpoint.length; at += 1) {
    for (const other of ["A", "0", "\n", " "]) {
      if (checkpoint[at] === other) continue;
      const changed = checkpoint.slice(0, at) + other + checkpoint.slice(at + 1);
      expect({ at, other, head: signer.open("n", changed) }).toEqual({ at, other, head: null });
    }
  }
  expect(signer.open("n", `${checkpoint}\n`)).toBeNull();
  expect(signer.open("n", "")).toBeNull();
});

test("anybody can check it with the verifier key alone", () => {
  const checkpoint = signer.sign("n", head);
  const [name = "", id = "", key = ""] = signer.verifierKey.split(/\+(.*?)\+(.*)/s);
  const publicKey = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(key, "base64").subarray(1).toString("base64url") },
    format: "jwk",
  });
  const [body = "", signature = ""] = checkpoint.split("\n\n");
  expect(body).toBe(`strata/audit/n\n42\n${Buffer.from(head.row_hash, "hex").toString("base64")}`);
  expect(signature.startsWith(`— ${name} `)).toBe(true);
  const bytes = Buffer.from(signature.split(" ")[2] ?? "", "base64");
  expect(bytes.subarray(0, 4).toString("hex")).toBe(id);
  expect(verify(null, Buffer.from(`${body}\n`), publicKey, bytes.subarray(4))).toBe(true);
});

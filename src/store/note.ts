/**
 * Signed checkpoints of an audit chain, in the form of a C2SP signed note: origin, size and root hash,
 * an empty line, and an Ed25519 signature line that anybody with the public key can check.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { StartError } from "../base/fault.ts";
import { sha256 } from "../base/hash.ts";

const ED25519_NOTE_TYPE = 0x01;
const KEY_NAME = "strata-audit";
const KEY_ID_BYTES = 4;

export interface AuditHead {
  seq: number;
  row_hash: string;
}

export interface NoteSigner {
  /** The verifier key of the signed-note format: `name+id+key`. */
  readonly verifierKey: string;
  sign(namespace: string, head: AuditHead): string;
  /** The head that a note vouches for, or null when it is not ours, not for this namespace or not intact. */
  open(namespace: string, note: string): AuditHead | null;
}

function keyId(name: string, publicKey: Uint8Array): Buffer {
  const preimage = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519_NOTE_TYPE), publicKey]);
  return Buffer.from(sha256(preimage).subarray(0, KEY_ID_BYTES));
}

function rawPublicKey(key: KeyObject): Buffer {
  return Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url");
}

function origin(namespace: string): string {
  return `strata/audit/${namespace}`;
}

function loadKey(path: string): KeyObject {
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync("ed25519");
    writeFileSync(path, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flush: true });
  }
  try {
    return createPrivateKey(readFileSync(path));
  } catch (error) {
    throw new StartError("audit.key is damaged; nothing was changed. Restore it from a backup.", { cause: error });
  }
}

/** Loads the signing key at `path` (PKCS #8 PEM, mode 0600), making it on first run. */
export function openNoteSigner(path: string): NoteSigner {
  const privateKey = loadKey(path);
  const publicKey = createPublicKey(privateKey);
  const raw = rawPublicKey(publicKey);
  const id = keyId(KEY_NAME, raw);
  return {
    verifierKey: `${KEY_NAME}+${id.toString("hex")}+${Buffer.concat([Buffer.of(ED25519_NOTE_TYPE), raw]).toString("base64")}`,
    sign(namespace, head) {
      const body = `${origin(namespace)}\n${head.seq}\n${Buffer.from(head.row_hash, "hex").toString("base64")}\n`;
      const signature = Buffer.concat([id, sign(null, Buffer.from(body), privateKey)]).toString("base64");
      return `${body}\n— ${KEY_NAME} ${signature}\n`;
    },
    open(namespace, note) {
      const parts = /^([^\n]+)\n(\d+)\n([A-Za-z0-9+/=]+)\n\n— (\S+) ([A-Za-z0-9+/=]+)\n$/.exec(note);
      if (!parts) return null;
      const [, from, size, root, name, line] = parts as unknown as [string, string, string, string, string, string];
      const signature = Buffer.from(line, "base64");
      const body = note.slice(0, note.indexOf("\n\n") + 1);
      const ours = from === origin(namespace) && name === KEY_NAME && signature.subarray(0, KEY_ID_BYTES).equals(id);
      if (!ours || !verify(null, Buffer.from(body), publicKey, signature.subarray(KEY_ID_BYTES))) return null;
      return { seq: Number(size), row_hash: Buffer.from(root, "base64").toString("hex") };
    },
  };
}

/**
 * Checkpoints (signed tree heads) of an audit chain, in the form of a C2SP signed note: origin, size and root hash,
 * an empty line, and an Ed25519 signature line that anybody with the public key can check.
 */
import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { sha256 } from "../../base/hash.ts";

const ED25519_NOTE_TYPE = 0x01;
const KEY_NAME = "strata-audit";
const KEY_ID_BYTES = 4;

/** The newest row of a chain; the tree head of a C2SP checkpoint. */
export interface TreeHead {
  seq: number;
  row_hash: string;
}

export interface CheckpointSigner {
  /** The first bytes of the hash of name and public key, in hex, as every checkpoint has them. */
  readonly keyId: string;
  /** The verifier key of the signed-note format: `name+id+key`. */
  readonly verifierKey: string;
  sign(namespace: string, head: TreeHead): string;
  /** The head that a checkpoint vouches for, or null when it is not ours, not for this namespace or not intact. */
  open(namespace: string, checkpoint: string): TreeHead | null;
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

/** A checkpoint taken apart; null when it has not our form. */
function parseCheckpoint(checkpoint: string) {
  const parts = /^([^\n]+)\n(\d+)\n([A-Za-z0-9+/=]+)\n\n— (\S+) ([A-Za-z0-9+/=]+)\n$/.exec(checkpoint);
  if (!parts) return null;
  const [, from, size, root, name, line] = parts as unknown as [string, string, string, string, string, string];
  const signature = Buffer.from(line, "base64");
  return {
    from,
    name,
    head: { seq: Number(size), row_hash: Buffer.from(root, "base64").toString("hex") },
    body: checkpoint.slice(0, checkpoint.indexOf("\n\n") + 1),
    keyId: signature.subarray(0, KEY_ID_BYTES).toString("hex"),
    signature: signature.subarray(KEY_ID_BYTES),
  };
}

/** What a checkpoint of a namespace says, and the id of the key that it names, whether or not that key signed it; null when it says nothing. */
export function unverifiedHead(namespace: string, checkpoint: string): { head: TreeHead; keyId: string } | null {
  const parsed = parseCheckpoint(checkpoint);
  return parsed !== null && parsed.from === origin(namespace) && parsed.name === KEY_NAME ? parsed : null;
}

/** Signs with an Ed25519 key. */
export function createCheckpointSigner(privateKey: KeyObject): CheckpointSigner {
  const publicKey = createPublicKey(privateKey);
  const raw = rawPublicKey(publicKey);
  const id = keyId(KEY_NAME, raw);
  const hexId = id.toString("hex");
  return {
    keyId: hexId,
    verifierKey: `${KEY_NAME}+${hexId}+${Buffer.concat([Buffer.of(ED25519_NOTE_TYPE), raw]).toString("base64")}`,
    sign(namespace, head) {
      const body = `${origin(namespace)}\n${head.seq}\n${Buffer.from(head.row_hash, "hex").toString("base64")}\n`;
      const signature = Buffer.concat([id, sign(null, Buffer.from(body), privateKey)]).toString("base64");
      return `${body}\n— ${KEY_NAME} ${signature}\n`;
    },
    open(namespace, checkpoint) {
      const parsed = parseCheckpoint(checkpoint);
      const ours = parsed !== null && parsed.from === origin(namespace) && parsed.name === KEY_NAME && parsed.keyId === hexId;
      return ours && verify(null, Buffer.from(parsed.body), publicKey, parsed.signature) ? parsed.head : null;
    },
  };
}

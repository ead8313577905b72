/**
 * Checkpoints (signed tree heads) of an audit chain, in the form of a C2SP signed note: origin, size and root hash,
 * an empty line, and an Ed25519 signature line that anybody with the public key can check.
 */
import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { sha256 } from "../../base/hash.ts";
import type { RowMark } from "../../domain/audit.ts";

const ED25519_NOTE_TYPE = 0x01;
const KEY_NAME = "strata-audit";
const KEY_ID_BYTES = 4;

/** The newest row of a chain; the tree head of a C2SP checkpoint. */
export type TreeHead = RowMark;

export interface CheckpointSigner {
  /** The first bytes of the hash of name and public key, in hex, as every checkpoint has them. */
  readonly keyId: string;
  /** The verifier key of the signed-note format: `name+id+key`. */
  readonly verifierKey: string;
  sign(namespace: string, head: TreeHead): string;
  /** The head that a checkpoint vouches for, or null when it is not ours, not for this namespace or not intact. */
  open(namespace: string, checkpoint: string): TreeHead | null;
}

function origin(namespace: string): string {
  return `strata/audit/${namespace}`;
}

/** What a checkpoint of a namespace says, and the id of the key that it names, whether or not that key signed it; null when it says nothing. */
export function unverifiedHead(namespace: string, checkpoint: string) {
  const parts = /^([^\n]+)\n(\d+)\n([A-Za-z0-9+/=]+)\n\n— (\S+) ([A-Za-z0-9+/=]+)\n$/.exec(checkpoint);
  if (!parts) return null;
  const [, from, size, root, name, line] = parts as unknown as [string, string, string, string, string, string];
  if (from !== origin(namespace) || name !== KEY_NAME) return null;
  const signature = Buffer.from(line, "base64");
  return {
    head: { seq: Number(size), row_hash: Buffer.from(root, "base64").toString("hex") } satisfies TreeHead,
    body: checkpoint.slice(0, checkpoint.indexOf("\n\n") + 1),
    keyId: signature.subarray(0, KEY_ID_BYTES).toString("hex"),
    signature: signature.subarray(KEY_ID_BYTES),
  };
}

/** Signs with an Ed25519 key. */
export function createCheckpointSigner(privateKey: KeyObject): CheckpointSigner {
  const publicKey = createPublicKey(privateKey);
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const typed = Buffer.concat([Buffer.of(ED25519_NOTE_TYPE), raw]);
  const id = Buffer.from(sha256(Buffer.concat([Buffer.from(`${KEY_NAME}\n`), typed])).subarray(0, KEY_ID_BYTES));
  const keyId = id.toString("hex");
  return {
    keyId,
    verifierKey: `${KEY_NAME}+${keyId}+${typed.toString("base64")}`,
    sign(namespace, head) {
      const body = `${origin(namespace)}\n${head.seq}\n${Buffer.from(head.row_hash, "hex").toString("base64")}\n`;
      const signature = Buffer.concat([id, sign(null, Buffer.from(body), privateKey)]).toString("base64");
      return `${body}\n— ${KEY_NAME} ${signature}\n`;
    },
    open(namespace, checkpoint) {
      const parsed = unverifiedHead(namespace, checkpoint);
      return parsed?.keyId === keyId && verify(null, Buffer.from(parsed.body), publicKey, parsed.signature) ? parsed.head : null;
    },
  };
}

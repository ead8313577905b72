/**
 * The key that signs the heads of the audit chains: `audit.key` (PKCS #8 PEM, mode 0600) in the data directory. system.db
 * remembers its id, so that a key that is missing, damaged or exchanged is noticed before a row is written: rows under
 * another key would never get a signature that the right key knows.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { renameDurably, writeDurably } from "../../base/durable-files.ts";
import { StartError } from "../../base/fault.ts";
import type { DirectoryTables } from "./directory.ts";
import { unverifiedHead, createCheckpointSigner, type CheckpointSigner } from "./checkpoint.ts";
import { openReader } from "./database.ts";

const KEY = "audit.key";
/** The key of an epoch that was begun and is not finished. */
const NEXT_KEY = "audit.key.new";
const PRIVATE_FILE = 0o600;
const REMEDY = "Put the right key back from a backup, or begin a new epoch with strata audit rekey";

/**
 * The signer of a data directory; its key is made on first run. Errors: StartError when there are chains and not the key
 * that signed them.
 */
export function openAuditKey(root: string, directory: DirectoryTables): CheckpointSigner {
  const path = join(root, KEY);
  if (existsSync(join(root, NEXT_KEY))) {
    throw new StartError("a new epoch of the audit chains was begun and not finished; strata audit rekey finishes it");
  }
  if (!existsSync(path)) {
    if (holdsChains(root)) throw new StartError(`audit.key is missing, and the audit chains here are signed with it. ${REMEDY}`);
    makeKey(path);
    directory.rememberAuditKey(createCheckpointSigner(readKey(path)).keyId);
  }
  const signer = createCheckpointSigner(readKey(path));
  const known = directory.auditKeyId();
  if (known !== null && known !== signer.keyId) {
    throw new StartError(`audit.key is another key (${signer.keyId}) than the one that signs the audit chains here (${known}). ${REMEDY}`);
  }
  if (known === null) directory.rememberAuditKey(signer.keyId);
  return signer;
}

/**
 * The signer of a new epoch: it signs with a new key, and opens what the key before it signed too. Where that key is lost,
 * checkpoints are taken by their word. An epoch that was begun and not finished goes on. Errors: StartError.
 */
export function beginEpoch(root: string, directory: DirectoryTables): CheckpointSigner {
  const path = join(root, NEXT_KEY);
  if (!existsSync(path)) makeKey(path);
  const next = createCheckpointSigner(readKey(path));
  const former = formerSigner(root, [directory.auditKeyId(), next.keyId]);
  const openFormer = (namespace: string, checkpoint: string) =>
    former === null ? (unverifiedHead(namespace, checkpoint)?.head ?? null) : former.open(namespace, checkpoint);
  return { ...next, open: (namespace, checkpoint) => next.open(namespace, checkpoint) ?? openFormer(namespace, checkpoint) };
}

/** Puts the key of the new epoch in the place of the old one. Every chain must have its row by now. */
export function finishEpoch(root: string, directory: DirectoryTables): void {
  const next = join(root, NEXT_KEY);
  // First, since a crash in between leaves the new key beside its place, from where it is taken again.
  directory.rememberAuditKey(createCheckpointSigner(readKey(next)).keyId);
  renameDurably(next, join(root, KEY));
}

/** The signer before; null when its key is missing, damaged, or another than the one that system.db remembers. */
function formerSigner(root: string, [known, next]: [string | null, string]): CheckpointSigner | null {
  try {
    const signer = createCheckpointSigner(readKey(join(root, KEY)));
    return known === null || known === signer.keyId || known === next ? signer : null;
  } catch {
    return null;
  }
}

function makeKey(path: string): void {
  const { privateKey } = generateKeyPairSync("ed25519");
  writeDurably(path, privateKey.export({ type: "pkcs8", format: "pem" }), PRIVATE_FILE);
}

function readKey(path: string): KeyObject {
  try {
    return createPrivateKey(readFileSync(path));
  } catch (error) {
    throw new StartError(`${basename(path)} is damaged; nothing was changed. ${REMEDY}`, { cause: error });
  }
}

/** True when a namespace has audit rows or a signed head. */
function holdsChains(root: string): boolean {
  const namespaces = join(root, "namespaces");
  if (!existsSync(namespaces)) return false;
  return readdirSync(namespaces).some((name) => existsSync(join(namespaces, name, "audit.note")) || hasRows(join(namespaces, name, "catalog.db")));
}

/** A catalog that cannot be read counts as one with rows: better a question too many than a chain that nobody can check. */
function hasRows(catalog: string): boolean {
  if (!existsSync(catalog)) return false;
  try {
    const reader = openReader(catalog);
    try {
      return reader.query("SELECT 1 FROM audit UNION ALL SELECT 1 FROM audit_head LIMIT 1").get() !== null;
    } finally {
      reader.close();
    }
  } catch {
    return true;
  }
}

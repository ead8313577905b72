/** Removes Units and files. */
import { Fault } from "../../base/fault.ts";
import { bypassesAcl, permsIn } from "../../domain/access.ts";
import { isActive, type StoredFile } from "../../domain/file.ts";
import type { NamespaceReader } from "../../domain/port/store.ts";
import type { Unit } from "../../domain/unit.ts";
import type { View } from "../access/view.ts";
import { type Call, operation, REMOVE } from "../operation.ts";
import { ById, Removed } from "../schema.ts";
import { commit } from "../tenant.ts";
import { NO_UNIT, readableUnit } from "../units/read.ts";
import { NO_FILE, readableFile } from "./read.ts";

/** Errors: `not_found` as for reading it; `forbidden` for a Unit of somebody else, unless the caller is an admin. */
export const removeUnit = operation({
  name: "removeUnit",
  summary: "Deletes one Unit; with the last one of a file, the file",
  action: "unit.delete",
  access: REMOVE,
  input: ById,
  output: Removed,
  async run({ view, input: { id } }: Call<ById>) {
    const unit = await readableUnit(view, id);
    if (unit === null) throw new Fault("not_found", NO_UNIT);
    checkOwner(view, unit);
    return { removed: await removeUnits(view, { unit }) };
  },
});

/** Removes a file with all its Units, and stops what is being done with it. Errors: as removeUnit. */
export const removeFile = operation({
  name: "removeFile",
  summary: "Deletes a file with its Units",
  action: "file.delete",
  access: REMOVE,
  input: ById,
  output: Removed,
  async run({ view, input: { id } }: Call<ById>) {
    const file = await readableFile(view, id);
    if (file === null) throw new Fault("not_found", NO_FILE);
    checkOwner(view, file);
    return { removed: await removeUnits(view, { file }) };
  },
});

/** Only who owns something removes it, or an admin; and only where it may write. */
function checkOwner({ registry, caller }: View, { acl_owner, scope }: Pick<Unit, "acl_owner" | "scope">): void {
  const perms = permsIn(caller, scope, registry);
  if (!perms.includes("write")) throw new Fault("forbidden", "you may not write to this scope");
  if (acl_owner !== caller.principal.principal_id && !bypassesAcl(caller)) {
    throw new Fault("forbidden", "only its owner or an admin may delete this");
  }
}

/**
 * Removes a Unit, or a file with all its Units and its work; a file that is left without Units goes too, with its object.
 * The indexes have forgotten the Units when it resolves. Returns how many there were.
 */
export async function removeUnits({ tenant, caller }: View, what: { unit: Unit } | { file: StoredFile }): Promise<number> {
  const row =
    "file" in what
      ? { action: "file.delete" as const, scope: what.file.scope, target: what.file.file_id }
      : { action: "unit.delete" as const, scope: what.unit.scope, target: what.unit.unit_id };
  const done = await commit(tenant, async (tx) => {
    const file = "file" in what ? what.file : await tx.files.ofUnit(what.unit.uid);
    const removed = await tx.units.remove("file" in what ? await tx.files.uids(what.file.file_id) : [what.unit.uid]);
    if (file !== null && ("file" in what || (await isAbandoned(tx, file)))) await tx.files.remove(file.file_id);
    await tx.ledger.append({ principal_id: caller.principal.principal_id, outcome: "ok", ...row, detail: { removed } });
    return { removed, file };
  });
  if (done.file !== null && !(await tenant.reader.files.usesObject(done.file.sha256))) await tenant.objects.remove(done.file.sha256);
  return done.removed;
}

/** True for a file without Units and without work to come. */
async function isAbandoned({ files, jobs }: NamespaceReader, { file_id }: StoredFile): Promise<boolean> {
  const last = await jobs.lastOf(file_id);
  return !(await files.hasUnits(file_id, null)) && !(last !== null && isActive(last));
}

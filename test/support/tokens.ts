import type { DirectoryTables } from "../../src/adapter/sqlite/directory.ts";

/** Revokes the live tokens of a name. */
export function revokeNamed(directory: DirectoryTables, namespace: string, name: string): void {
  for (const token of directory.tokens(namespace)) if (token.name === name) directory.revokeTokenById(token.id);
}

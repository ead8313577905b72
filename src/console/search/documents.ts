/** What documents are called. A document that is one file has the id of the file, which says nothing to people. */
import { useRef } from "preact/hooks";
import { useDebounced, useLoad } from "../hooks.ts";
import { operations } from "../operations.ts";
import type { Hit } from "../types.ts";

const FILE_ID = /^f_[a-z0-9]+$/;
/** As one types, documents come and go: only those are asked for that stay. */
const STAYS_MS = 400;

/** Names of the documents that are files: from the hits, and of those that are among none by asking, once each. */
export function useDocumentNames(ids: readonly string[], hits: readonly Hit[]): ReadonlyMap<string, string> {
  const names = useRef(new Map<string, string>()).current;
  for (const { doc_id, metadata } of hits) {
    if (doc_id !== undefined && FILE_ID.test(doc_id) && typeof metadata?.file_name === "string") names.set(doc_id, metadata.file_name);
  }
  const unknown = ids.filter((id) => FILE_ID.test(id) && !names.has(id)).join(" ");
  const asked = useDebounced(unknown, STAYS_MS);
  useLoad(
    async (signal) => {
      if (asked !== unknown) return;
      // One that is hidden, or gone, keeps its id.
      const name = (id: string) =>
        operations.file(id, signal).then(
          (file) => names.set(id, file.name),
          () => signal.aborted || names.set(id, id),
        );
      await Promise.all(
        asked
          .split(" ")
          .filter((id) => id !== "")
          .map(name),
      );
    },
    [asked],
  );
  return names;
}

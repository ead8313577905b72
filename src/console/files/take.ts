/** Files that were dropped or chosen, with their names relative to the folder that they came in. */

export interface Taken {
  file: File;
  name: string;
}

/** Of an input for files or for a folder. Hidden files are left out, as `strata ingest` leaves them out. */
export function chosenFiles(list: FileList): Taken[] {
  return [...list].map((file) => ({ file, name: file.webkitRelativePath || file.name })).filter(({ name }) => !isHidden(name));
}

/** Of a drop, folders with all that is in them. The items can be asked for nothing once the event is over, so all are asked first. */
export async function droppedFiles(items: DataTransferItemList): Promise<Taken[]> {
  const dropped = [...items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const taken = await Promise.all(
    dropped.map(({ entry, file }) => {
      if (entry !== null) return filesBelow(entry);
      // What comes from another page has no place on a disk.
      return file === null ? [] : [{ file, name: file.name }];
    }),
  );
  return taken.flat().filter(({ name }) => !isHidden(name));
}

async function filesBelow(entry: FileSystemEntry): Promise<Taken[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ file, name: entry.fullPath.replace(/^\//, "") }];
  }
  const taken: Taken[] = [];
  for (const child of await childrenOf(entry as FileSystemDirectoryEntry)) taken.push(...(await filesBelow(child)));
  return taken;
}

/** A reader gives a part of a folder at a time, and nothing at its end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return children;
    children.push(...some);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isHidden(name: string): boolean {
  return name.split("/").some((part) => part.startsWith("."));
}

import { useEffect, useRef, useState } from "preact/hooks";
import { Button, Icon } from "../ui/index.ts";
import { chosenFiles, droppedFiles, type Taken } from "./take.ts";

/** Not among the attributes that JSX knows. */
const FOLDER = { webkitdirectory: true };

/** Takes files and folders, dropped anywhere on the page or chosen. */
export function DropZone({ onTake }: { onTake(taken: Taken[]): void }) {
  const [over, setOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Where nobody takes a dropped file, the browser leaves the page for it.
    const drag = (event: DragEvent) => {
      event.preventDefault();
      setOver(event.type === "dragover");
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      if (event.dataTransfer !== null) void droppedFiles(event.dataTransfer.items).then(onTake);
    };
    addEventListener("dragover", drag);
    addEventListener("dragleave", drag);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", drag);
      removeEventListener("dragleave", drag);
      removeEventListener("drop", drop);
    };
  }, [onTake]);
  const take = (input: HTMLInputElement) => {
    if (input.files !== null) onTake(chosenFiles(input.files));
    // So that the same file can be chosen again.
    input.value = "";
  };
  return (
    <div class={over ? "drop-zone over" : "drop-zone"}>
      <Icon name="upload" size={30} />
      <p class="drop-title">Drop files or folders here</p>
      <p class="muted">PDF, Word, web pages, Markdown, tables, logs, pictures, sound and video</p>
      <div class="row centre">
        <Button variant="primary" icon="files" onClick={() => files.current?.click()}>
          Choose files
        </Button>
        <Button onClick={() => folder.current?.click()}>Choose a folder</Button>
      </div>
      <input ref={files} type="file" multiple hidden aria-label="Files" onChange={(event) => take(event.currentTarget)} />
      <input ref={folder} type="file" {...FOLDER} hidden aria-label="Folder" onChange={(event) => take(event.currentTarget)} />
    </div>
  );
}

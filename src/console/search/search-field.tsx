import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, IconButton, Spinner, toast } from "../ui/index.ts";

export interface SearchFieldProps {
  value: string;
  busy: boolean;
  onInput(value: string): void;
  /** Called for Enter. */
  onSubmit(): void;
  /** A picture or sound to find the like of. */
  onExample(file: File): void;
}

const EXAMPLES = /^(?:image|audio)\//;

/** The field, onto which (or anywhere on the page) a picture or a sound can be dropped. */
export function SearchField({ value, busy, onInput, onSubmit, onExample }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const dragged = useDrop(take);
  useEffect(() => field.current?.focus(), []);

  function take(file: File | undefined): void {
    if (file === undefined) return;
    if (EXAMPLES.test(file.type)) onExample(file);
    else toast("A picture or a sound can be an example; other files are added under Files", "bad");
  }
  function clear(): void {
    onInput("");
    field.current?.focus();
  }
  function keys(event: KeyboardEvent): void {
    if (event.key === "Enter") onSubmit();
    if (event.key === "Escape" && value !== "") onInput("");
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    document.querySelector<HTMLElement>("[data-hit]")?.focus();
  }
  return (
    <search class={dragged ? "search-field dragged" : "search-field"}>
      {busy ? <Spinner /> : <Icon name="search" size={20} />}
      <input
        ref={field}
        type="search"
        data-search-field
        aria-label="Search"
        placeholder={dragged ? "Drop it to find what is like it" : "Search text, pictures, sound and pages"}
        autocomplete="off"
        spellcheck={false}
        maxLength={4096}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={keys}
      />
      {value === "" ? <kbd>/</kbd> : <IconButton label="Clear" icon="close" onClick={clear} />}
      <IconButton label="Search by a picture or a sound" icon="image" onClick={() => chooser.current?.click()} />
      <input
        ref={chooser}
        type="file"
        accept="image/*,audio/*"
        hidden
        onChange={(event) => {
          take(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
    </search>
  );
}

/** Takes a file that is dropped anywhere on the page. Returns whether one is held over it. */
function useDrop(take: (file: File | undefined) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const hold = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(event.type === "dragover");
      if (event.type === "drop") take(event.dataTransfer.files[0]);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    addEventListener("dragover", hold);
    addEventListener("drop", hold);
    addEventListener("dragleave", leave);
    return () => {
      removeEventListener("dragover", hold);
      removeEventListener("drop", hold);
      removeEventListener("dragleave", leave);
    };
  });
  return over;
}

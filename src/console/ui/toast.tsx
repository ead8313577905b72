/** Short messages at the edge of the page that go by themselves. */
import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface Message {
  id: number;
  text: string;
  tone: "good" | "bad";
}

const SHOWN_MS = 5000;
let messages: readonly Message[] = [];
let lastId = 0;
const listeners = new Set<(messages: readonly Message[]) => void>();

function put(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener(next);
}

/** Says that something was done, or was not. */
export function toast(text: string, tone: Message["tone"] = "good"): void {
  lastId += 1;
  const message = { id: lastId, text, tone };
  put([...messages, message]);
  setTimeout(() => put(messages.filter(({ id }) => id !== message.id)), SHOWN_MS);
}

export function Toasts() {
  const [shown, setShown] = useState(messages);
  useEffect(() => {
    listeners.add(setShown);
    return () => {
      listeners.delete(setShown);
    };
  }, []);
  return (
    <div class="toasts" role="status">
      {shown.map(({ id, text, tone }) => (
        <div key={id} class={`toast ${tone}`}>
          <Icon name={tone === "good" ? "check" : "warning"} />
          {text}
        </div>
      ))}
    </div>
  );
}

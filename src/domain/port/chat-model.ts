/** A language model that writes. */

/** One message to a chat model. */
export interface ChatMessage {
  role: "system" | "user";
  content: string;
}

/** A language model that the operator configured. Nothing that it writes is trusted. */
export interface ChatModel {
  readonly model: string;
  /** The text it wrote. Errors: Fault `unavailable` whose message says in a few words what went wrong, also when `signal` comes. */
  complete(messages: readonly ChatMessage[], signal?: AbortSignal): Promise<string>;
}

/** Where the model is and how to ask for it. */
export interface ChatEndpoint {
  /** http or https, with or without `/chat/completions` at the end of its path. */
  url: string;
  model: string;
  /** Bearer token in printable ASCII; null: none is sent. */
  key: string | null;
}

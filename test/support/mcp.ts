/** The official client of MCP, and what its calls give. */
import { type CallToolResult, Client } from "@modelcontextprotocol/client";

type Transport = Parameters<Client["connect"]>[0];

/** `auto`: the revision that names itself in every message; `legacy`: the one that begins with a handshake. */
export type Era = "auto" | "legacy";

const open: Client[] = [];

export async function connect(transport: Transport, mode: Era = "auto"): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  open.push(client);
  await client.connect(transport);
  return client;
}

export async function disconnectAll(): Promise<void> {
  for (const client of open.splice(0)) await client.close();
}

export async function toolNames(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

export interface Called {
  /** The structured content. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they test
  body: any;
  text: string;
  failed: boolean;
}

/** Calls a tool. The body of one that failed is the error body in its text. */
export async function use(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Called> {
  const { content, structuredContent, isError = false } = (await client.callTool({ name, arguments: args })) as CallToolResult;
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  return { body: isError ? JSON.parse(text) : structuredContent, text, failed: isError };
}

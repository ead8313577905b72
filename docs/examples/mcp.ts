/** An MCP client: connects over streamable HTTP, lists the tools, and searches. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const { STRATA_URL: url = "http://127.0.0.1:4700", STRATA_TOKEN: token = "strata_demo_reader" } = process.env;
const say = (line: string) => process.stdout.write(`${line}\n`);

const client = new Client({ name: "strata-example", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL("/v1/mcp", url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }));

const { tools } = await client.listTools();
say(`tools: ${tools.map(({ name }) => name).join(", ")}`);

const { isError, structuredContent, content } = await client.callTool({
  name: "search",
  arguments: { q: "why did turbine 7 stop?", top_k: 3 },
});
if (isError) throw new Error(JSON.stringify(content));
for (const { rank, scope, snippet } of (structuredContent as { hits: { rank: number; scope: string; snippet: string | null }[] }).hits) {
  say(`${rank}. ${scope}: ${snippet}`);
}
await client.close();

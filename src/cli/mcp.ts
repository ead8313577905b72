import { Readable, Writable } from "node:stream";
import { Fault, StartError } from "../base/fault.ts";
import { randomToken } from "../base/hash.ts";
import { VERSION } from "../base/version.ts";
import { problemBody } from "../http/problem.ts";
import { ROUTES } from "../http/routes.ts";
import type { CallerOperations } from "../mcp/server.ts";
import type { Backend, BackendOperation } from "./backend.ts";
import { aborted, type Context, defineCommand, EXIT, type Io, UsageError, value } from "./command.ts";
import { DATA, NAMESPACE_FLAG, namespaceOf, SCOPE, scopeOf, TARGET, targetOf, tokenIn } from "./flags.ts";
import { withBackend } from "./open-backend.ts";

const REQUEST_ID_BYTES = 12;

export const mcp = defineCommand({
  purpose:
    "Speaks MCP (Model Context Protocol) over standard input and output, so that an assistant which starts it can search, answer and read as \
the holder of one token. It works on a data directory that no server holds, or with --url for a running server; a server also speaks MCP \
itself, at /v1/mcp. It ends when its input does.",
  operands: [],
  flags: {
    "token-file": value("FILE", "file with the API token to act with, and nothing else"),
    scope: { ...SCOPE, help: `${SCOPE.help}; tools then choose no other`, default: "the caller's active scope" },
    namespace: { ...NAMESPACE_FLAG, help: "namespace, for the super-admin's token alone", default: "that of the token" },
    ...DATA,
    url: TARGET.url,
  },
  examples: [
    ["as an assistant starts it, for a running server", "strata mcp --token-file token.txt --url http://127.0.0.1:4700"],
    ["on a data directory, in one scope", "strata mcp --token-file token.txt --data strata-data --scope harbour/ops"],
  ],
  async run(context, flags) {
    const file = flags["token-file"];
    if (file === undefined) throw new UsageError("strata mcp needs --token-file FILE: who the assistant acts as");
    const namespace = flags.namespace === undefined ? null : namespaceOf(flags.namespace);
    const scope = scopeOf(flags.scope);
    const token = tokenIn(file);
    const target = targetOf({ data: flags.data, url: flags.url, token: undefined, "token-file": undefined }, { ...context.env, STRATA_TOKEN: token });
    await withBackend(context, target, { namespace, token }, (backend) => speak(context, backend, scope));
    return EXIT.done;
  },
});

/** Answers until the input ends or the operator ends it. Errors: what keeps the caller out, before the first message. */
async function speak({ io, interruption }: Context, backend: Backend, scope: string | null): Promise<void> {
  await backend.call("context", { scope });
  const { serveTools } = await import("../mcp/stdio.ts");
  const output = new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      io.stdout.write(String(text));
      done();
    },
  });
  const connection = serveTools(operationsOf(backend, scope, io), Readable.from(buffers(io.stdin())), output);
  await Promise.race([connection.ended, aborted(interruption())]);
  await connection.close();
}

/** The transport looks for line ends as only a Buffer finds them. */
async function* buffers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

function operationsOf(backend: Backend, bound: string | null, { stderr }: Io): CallerOperations {
  return {
    version: VERSION,
    scope: bound,
    call: ({ operation: { name }, input, scope, signal }) => backend.call(named(name), { input, scope: bound ?? scope, signal }),
    bodyOf(failure) {
      if (failure instanceof StartError) return problemBody(new Fault("unavailable", failure.message), "");
      const id = randomToken(REQUEST_ID_BYTES);
      if (!(failure instanceof Fault)) stderr.write(`strata: internal error (${id}): ${Bun.inspect(failure)}\n`);
      return problemBody(failure, id);
    },
  };
}

/** The table of routes is by the names of operations. */
function named(operation: string): BackendOperation {
  if (!Object.hasOwn(ROUTES, operation)) throw new Error(`no route is named ${operation}`);
  return operation as BackendOperation;
}

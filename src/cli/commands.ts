/** Every command by its name. A module is loaded when its command runs or explains itself, so that `strata version` is instant. */
import type { CommandEntry } from "./command.ts";

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "run the service",
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    name: "seed",
    summary: "load the demo: namespaces, principals, tokens and a story to search",
    load: async () => (await import("./seed.ts")).seed,
  },
  {
    name: "search",
    summary: "search by meaning and by words",
    load: async () => (await import("./search.ts")).search,
  },
  {
    name: "answer",
    summary: "answer a question with cited, verified sentences",
    load: async () => (await import("./answer.ts")).answer,
  },
  {
    name: "ingest",
    summary: "store files and folders, or the Units of an NDJSON file",
    load: async () => (await import("./ingest.ts")).ingest,
  },
  {
    name: "mcp",
    summary: "let an assistant search and answer over standard input and output (MCP)",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  {
    name: "reread",
    summary: "take stored files through today's extractors",
    load: async () => (await import("./reread.ts")).reread,
  },
  {
    name: "audit verify",
    summary: "recompute the audit chains",
    load: async () => (await import("./audit.ts")).auditVerify,
  },
  {
    name: "audit rekey",
    summary: "sign the audit chains with a new key from here on",
    load: async () => (await import("./audit.ts")).auditRekey,
  },
  {
    name: "token create",
    summary: "make an API token, and its principal when it is new",
    load: async () => (await import("./token-create.ts")).tokenCreate,
  },
  {
    name: "token list",
    summary: "list API tokens, never their secrets",
    load: async () => (await import("./token.ts")).tokenList,
  },
  {
    name: "token revoke",
    summary: "end an API token and its sessions",
    load: async () => (await import("./token.ts")).tokenRevoke,
  },
  {
    name: "namespace list",
    summary: "list namespaces with their tier and language",
    load: async () => (await import("./namespace.ts")).namespaceList,
  },
  {
    name: "namespace create",
    summary: "make a namespace",
    load: async () => (await import("./namespace.ts")).namespaceCreate,
  },
  {
    name: "namespace set",
    summary: "change a namespace's tier, or how much it tells of what is hidden",
    load: async () => (await import("./namespace.ts")).namespaceSet,
  },
  {
    name: "scope set",
    summary: "say whether agents may write in a scope, or only read",
    load: async () => (await import("./scope.ts")).scopeSet,
  },
  {
    name: "doctor",
    summary: "check a data directory, and repair its indexes",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "models",
    summary: "list the models inside, with licence and origin, and verify them",
    load: async () => (await import("./models.ts")).models,
  },
  {
    name: "bench",
    summary: "measure search, answers, ingest, audit and start against the bare engines",
    load: async () => (await import("./bench.ts")).bench,
  },
  {
    name: "completions",
    summary: "print a script that completes commands in bash, zsh or fish",
    load: async () => (await import("./completions.ts")).completionsFor(COMMANDS),
  },
  {
    name: "version",
    summary: "print the version",
    load: async () => (await import("./version.ts")).version,
  },
];

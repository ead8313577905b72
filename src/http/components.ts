/**
 * From the schemas of operations to those of the OpenAPI document: what has a name stands once among the components, known
 * by its shape wherever it occurs, and every form is written as generators of clients read it.
 */
import type { TSchema } from "@sinclair/typebox";
import { assert } from "../base/fault.ts";

/** A schema under its name, with what is said of it there alone. */
export interface NamedSchema {
  schema: TSchema;
  description: string;
  examples?: readonly unknown[];
}

/** A JSON Schema as TypeBox writes it, as far as it is looked at here, and as the document has it. */
interface Shape extends Record<string, unknown> {
  type?: string | readonly string[];
  const?: unknown;
  anyOf?: Shape[];
  allOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
}
type Write = (schema: Shape) => Shape;

export interface Components {
  /** A schema as it stands where it is used: a reference, if it has a name. */
  describe(schema: TSchema): Shape;
  /** The named schemas that were referred to so far, by name. */
  schemas(): Record<string, Shape>;
}

/** Errors: an Error when two names have one shape, which is a bug. */
export function componentsOf(named: Readonly<Record<string, NamedSchema>>): Components {
  const names = new Map(Object.entries(named).map(([name, { schema }]) => [JSON.stringify(schema), name]));
  assert(names.size === Object.keys(named).length, "every named schema has a shape of its own");
  const used = new Map<string, Shape>();
  const write: Write = (schema) => {
    const name = names.get(JSON.stringify(schema));
    if (name === undefined) return written(schema, write);
    const { schema: _, ...said } = named[name] ?? {};
    if (!used.has(name)) used.set(name, { ...written(schema, write), ...said });
    return { $ref: referenceTo(name) };
  };
  return {
    // Copied as JSON, since TypeBox marks optional members with symbols.
    describe: (schema) => write(JSON.parse(JSON.stringify(schema)) as Shape),
    schemas: () => Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

export function referenceTo(name: string): string {
  return `#/components/schemas/${name}`;
}

function written({ anyOf, allOf, items, properties, patternProperties, ...rest }: Shape, write: Write): Shape {
  const constant = allOf?.find((part) => part.const !== undefined);
  // A member that is narrowed to one value.
  if (constant !== undefined) return { ...rest, ...constant };
  const [values] = Object.values(patternProperties ?? {});
  return {
    ...rest,
    ...(anyOf && unionOf(anyOf, write)),
    ...(allOf && { allOf: allOf.map(write) }),
    ...(items && { items: write(items) }),
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, write(undefaulted(schema))])) }),
    // TypeBox's form of a record: any name, and one schema.
    ...(values && { additionalProperties: write(values) }),
  };
}

/** A default is told in words: as a keyword, generators take it for a promise that the member is always there. */
function undefaulted({ default: value, ...schema }: Shape): Shape {
  if (value === undefined) return schema;
  return { ...schema, description: [schema.description ?? "", `Without it: ${JSON.stringify(value)}.`].join(" ").trim() };
}

const PLAIN_TYPES = ["string", "number", "integer", "boolean"];

function unionOf(choices: Shape[], write: Write): Shape {
  if (choices.every((choice) => typeof choice.const === "string")) return { type: "string", enum: choices.map((choice) => choice.const) };
  const others = choices.filter(({ type }) => type !== "null");
  const forms = others.map(write);
  if (others.length < choices.length) return nullable(forms);
  const tag = forms.every(({ $ref }) => $ref !== undefined) ? tagOf(others) : undefined;
  if (tag === undefined) return { anyOf: forms };
  const mapping = Object.fromEntries(others.map(({ properties }, index) => [properties?.[tag]?.const, forms[index]?.$ref]));
  return { oneOf: forms, discriminator: { propertyName: tag, mapping } };
}

function nullable(forms: Shape[]): Shape {
  const [form, second] = forms;
  const any = form?.enum === undefined && form?.const === undefined;
  const plain = second === undefined && any && typeof form?.type === "string" && PLAIN_TYPES.includes(form.type);
  return plain ? { ...form, type: [form.type as string, "null"] } : { anyOf: [...forms, { type: "null" }] };
}

/** The member that tells objects apart: in each it is one text. */
function tagOf(objects: Shape[]): string | undefined {
  return Object.keys(objects[0]?.properties ?? {}).find((name) => objects.every(({ properties }) => typeof properties?.[name]?.const === "string"));
}

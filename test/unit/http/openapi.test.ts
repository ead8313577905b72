/** The OpenAPI document: names and forms of its schemas, as generators of clients read them. */
import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { oneOf, Nullable } from "../../../src/core/schema.ts";
import { componentsOf } from "../../../src/http/components.ts";
import { openApiDocument } from "../../../src/http/openapi.ts";
import { ROUTES } from "../../../src/http/routes.ts";
import { SCHEMA_NAMES } from "../../../src/http/schema-names.ts";

const document = JSON.parse(JSON.stringify(openApiDocument(Object.values(ROUTES), "0.0.0")));

/** Every object of the document, however deep. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const member of Object.values(value)) yield* objectsIn(member);
}
const objects = [...objectsIn(document)];

describe("the document", () => {
  test("has every named schema, and refers to no other", () => {
    expect(Object.keys(SCHEMA_NAMES).filter((name) => document.components.schemas[name] === undefined)).toEqual([]);
    const referred = new Set(objects.map(({ $ref }) => $ref).filter((ref) => typeof ref === "string"));
    expect([...referred].filter((ref) => document.components.schemas[String(ref).replace("#/components/schemas/", "")] === undefined)).toEqual([]);
    expect(referred.size).toBeGreaterThan(20);
  });

  test("answers and bodies of JSON are named", () => {
    const json = objects.map((each) => each["application/json"]).filter((content) => content !== undefined) as { schema: object }[];
    expect(json.filter(({ schema }) => !("$ref" in schema))).toEqual([]);
  });

  test("has one tag an operation, which it describes", () => {
    const operations = Object.values<Record<string, { tags: string[] }>>(document.paths).flatMap((methods) => Object.values(methods));
    const described = document.tags.map(({ name }: { name: string }) => name);
    expect(operations.filter(({ tags }) => tags.length !== 1 || !described.includes(tags[0]))).toEqual([]);
  });

  test("writes no form that generators take for something else", () => {
    expect(objects.filter((each) => "patternProperties" in each)).toEqual([]);
    const unions = objects.flatMap(({ anyOf }) => (Array.isArray(anyOf) ? [anyOf as { const?: unknown }[]] : []));
    expect(unions.filter((choices) => choices.every((choice) => choice.const !== undefined))).toEqual([]);
    const members = objects.flatMap(({ properties }) => Object.values((properties ?? {}) as Record<string, object>));
    expect(members.filter((schema) => "default" in schema)).toEqual([]);
  });

  test("tells locators apart by their kind", () => {
    const { oneOf: kinds, discriminator } = document.components.schemas.Locator;
    expect(kinds.length).toBe(4);
    expect(discriminator).toEqual({
      propertyName: "kind",
      mapping: Object.fromEntries(
        [
          ["time_range", "TimeRange"],
          ["bbox", "BoundingBox"],
          ["char_span", "CharSpan"],
          ["line_range", "LineRange"],
        ].map(([kind, name]) => [kind, `#/components/schemas/${name}`]),
      ),
    });
  });
});

describe("a schema", () => {
  const Colour = oneOf(["red", "blue"]);
  const { describe: write, schemas } = componentsOf({ Colour: { schema: Colour, description: "A colour." } });

  test("with a name is a reference, also where it may be absent or null", () => {
    const reference = { $ref: "#/components/schemas/Colour" };
    const written = write(Type.Object({ a: Colour, b: Type.Optional(Colour), c: Nullable(Colour), d: Type.Array(Colour) }));
    expect(written.properties).toEqual({
      a: reference,
      b: reference,
      c: { anyOf: [reference, { type: "null" }] },
      d: { type: "array", items: reference },
    });
    expect(written.required).toEqual(["a", "c", "d"]);
    expect(schemas()).toEqual({ Colour: { type: "string", enum: ["red", "blue"], description: "A colour." } });
  });

  test("that may be null is one type where it can be", () => {
    expect(write(Nullable(Type.Integer({ minimum: 1 })))).toEqual({ type: ["integer", "null"], minimum: 1 });
    expect(write(Nullable(oneOf(["x", "y"])))).toEqual({ anyOf: [{ type: "string", enum: ["x", "y"] }, { type: "null" }] });
    expect(write(Nullable(Type.Literal("x")))).toEqual({ anyOf: [{ const: "x", type: "string" }, { type: "null" }] });
  });

  test("of a record and of a narrowed member are written plainly; defaults in words", () => {
    expect(write(Type.Record(Type.String(), Type.Number()))).toEqual({ type: "object", additionalProperties: { type: "number" } });
    const narrowed = Type.Composite([Type.Object({ a: Type.Boolean() }), Type.Object({ a: Type.Literal(true) })]);
    expect(write(narrowed).properties).toEqual({ a: { const: true, type: "boolean" } });
    expect(write(Type.Object({ n: Type.Integer({ default: 3, description: "How many." }) })).properties).toEqual({
      n: { type: "integer", description: "How many. Without it: 3." },
    });
  });

  test("that is one of several without names is any of them", () => {
    const kinds = ["a", "b"].map((kind) => Type.Object({ kind: Type.Literal(kind) }));
    expect(Object.keys(write(Type.Union(kinds)))).toEqual(["anyOf"]);
  });

  test("cannot have two names", () => {
    expect(() => componentsOf({ A: { schema: Colour, description: "" }, B: { schema: oneOf(["red", "blue"]), description: "" } })).toThrow();
  });
});

import { expect, test } from "bun:test";
import { chunkBlocks } from "../../../src/media/document/block-chunks.ts";
import { HtmlText } from "../../../src/media/document/html.ts";
import { plainBlocks } from "../../../src/media/document/plain-text.ts";
import { extractProse } from "../../../src/media/document/prose.ts";
import { sniffedFile, unitsOf } from "./files.ts";

/** The path of each Unit of a file, joined by " > ", and its text. */
async function unitsIn(source: string, name: string): Promise<[string, string | null][]> {
  const units = await unitsOf(extractProse(await sniffedFile(source, name), 0));
  return units.map(({ path, text }) => [path.join(" > "), text]);
}

const OPTIONS = `Mandatory arguments of long options are mandatory for short ones too.
  -a, --all                  do not ignore entries that begin with a dot
      --block-size=SIZE      scale sizes by SIZE when they are printed;
                             --all is not concerned
  -C                         list entries by columns
      --a-name-as-long-as-it do as it says`;

test("a list of options: each with its meaning, under itself", async () => {
  expect(await unitsIn(OPTIONS, "a.txt")).toEqual([
    ["", "Mandatory arguments of long options are mandatory for short ones too."],
    ["-a, --all", "-a, --all                  do not ignore entries that begin with a dot"],
    ["--block-size=SIZE", expect.stringMatching(/^--block-size=SIZE .*printed;\n +--all is not concerned$/)],
    ["-C", "-C                         list entries by columns"],
    ["--a-name-as-long-as-it", "--a-name-as-long-as-it do as it says"],
  ]);
});

const MANUAL = `CRANE(1)                         User Commands                        CRANE(1)

NAME
       crane - lifts what is heavy

DESCRIPTION
       The crane lifts the rotor over the pier. To see what it would  do,  with‐
       out lifting anything, first type the command with its long options in it

           crane --dry-run rotor

       and read what it says before the tide falls below the mark of the gauge.

       -n, --dry-run
              Do not lift anything.

              Say what would be done.

       -v     Say what is being done.

CRANE(1)                         User Commands                        CRANE(1)
`;

test("a manual page as plain text, and in a preformatted element", async () => {
  const expected = ["CRANE(1) > NAME", "CRANE(1) > DESCRIPTION", "CRANE(1) > DESCRIPTION > -n, --dry-run", "CRANE(1) > DESCRIPTION > -v"];
  const paths = async (source: string, name: string) => [...new Set((await unitsIn(source, name)).map(([path]) => path))];
  expect((await paths(MANUAL, "crane.1.txt")).slice(0, 4)).toEqual(expected);
  const page = await unitsIn(`<html><body><pre>${MANUAL}</pre><p>After it.`, "crane.html");
  expect(page).toContainEqual(["CRANE(1) > DESCRIPTION > -n, --dry-run", "-n, --dry-run\nDo not lift anything.\n\nSay what would be done."]);
  expect(page).toContainEqual(["CRANE(1) > DESCRIPTION > -v", "-v Say what is being done."]);
  expect(page.find(([path]) => path === "CRANE(1) > DESCRIPTION")?.[1]).toBe(
    [
      "The crane lifts the rotor over the pier. To see what it would do, without lifting anything, first type the command with its long options in it",
      "    crane --dry-run rotor",
      "\nand read what it says before the tide falls below the mark of the gauge.",
    ].join("\n"),
  );
  expect(page.at(-1)).toEqual(["", "After it."]);
});

test("a manual page whose sections are preformatted", async () => {
  const page =
    "<h1>crane(1)</h1><h2>OPTIONS</h2><pre>       <b>-n</b>, <b>--dry-run</b>\n              Do not lift anything at all.\n\n       <b>-v</b>     Say what is being done.\n</pre><h2>FILES</h2><pre>       ~/.cranerc\n</pre>";
  expect(await unitsIn(page, "a.html")).toEqual([
    ["crane(1) > OPTIONS > -n, --dry-run", "-n, --dry-run\nDo not lift anything at all."],
    ["crane(1) > OPTIONS > -v", "-v Say what is being done."],
    ["crane(1) > FILES", "    ~/.cranerc"],
  ]);
});

const TABLE = `Option    Default   Meaning
--------  -------   -------
maxsize   10        Largest size of a file
                    in megabytes.
timeout   30        Seconds to wait`;
const ROWS =
  "| Option: maxsize | Default: 10 | Meaning: Largest size of a file in megabytes.\n| Option: timeout | Default: 30 | Meaning: Seconds to wait";

test("tables in columns become rows with their headers", async () => {
  expect(await unitsIn(`<p>The limits:<pre>\n${TABLE}\n</pre>`, "a.html")).toEqual([["", `The limits:\n\n${ROWS}`]]);
  expect(await unitsIn(`${TABLE}\n`, "a.txt")).toEqual([["", ROWS]]);
  const drawn = "+------+------+\n| name | load |\n+------+------+\n| Ann  | 5    |\n| Bob  |      |\n+------+------+";
  expect(await unitsIn(`<pre>${drawn}</pre>`, "a.html")).toEqual([["", "| name: Ann | load: 5\n| name: Bob"]]);
  const figures = "Name     Size  Date\na.txt      10  2024-01-01\nlonger   1200  2024-01-02";
  expect(await unitsIn(`<pre>${figures}</pre>`, "a.html")).toEqual([
    ["", "| Name: a.txt | Size: 10 | Date: 2024-01-01\n| Name: longer | Size: 1200 | Date: 2024-01-02"],
  ]);
  const letters = "%a     abbreviated name of the day\n%b     abbreviated name of the month\n%Y     the year as a number";
  expect(await unitsIn(`<p>Letters:<pre>${letters}</pre>`, "a.html")).toEqual([
    ["", "Letters:\n\n| %a | abbreviated name of the day\n| %b | abbreviated name of the month\n| %Y | the year as a number"],
  ]);
});

test("code in a preformatted element is code", async () => {
  for (const code of [
    "git add .\ngit commit -m 'the message of it'\ngit push",
    "def f(x):\n    if x:\n        return the value of x\n    return None",
    "x = 1      # the first of them\nyy = 22    # the second of them\nzzz = 333  # the third of them",
    "-rw-r--r--  1 ann  crew   12 Feb 12 10:00 a.txt\n-rw-r--r--  1 bob  crew 1200 Mar  3 10:00 b.txt",
  ])
    expect(await unitsIn(`<p>Type:<pre>${code}</pre>`, "a.html")).toEqual([["", `Type:\n${code.replace(/^/gm, "    ")}`]]);
});

test("hostile layout takes no longer than other text", () => {
  const pieces = ["-", "- ", "--  ", "| ", "a'", "-a  b ", " ", "a\n", "--\n", "-a\n", "  -a b\n", "a  b\n", "\t", "=", "+-", "\u253c", "1. "];
  const began = performance.now();
  for (const piece of pieces) {
    const long = piece.repeat(150_000 / piece.length);
    for (const text of [long, `${long}x\n`, `Head  Two\n----  ---\n${long}`]) {
      for (const _ of chunkBlocks(plainBlocks([text])));
      for (const _ of chunkBlocks(new HtmlText().read([`<pre>${text}</pre>`])));
    }
  }
  expect(performance.now() - began).toBeLessThan(20_000);
});

test("prose that blanks fill up to the margin is prose", async () => {
  const prose = "The  crane  lifts the rotor over the pier,\nand  the water level  is  measured by  it.\nIt  is  sent  to the office of the harbour";
  expect(await unitsIn(`${prose}\n\n    indented below it, as an example is set\n`, "a.txt")).toEqual([
    ["", `${prose}\n\n    indented below it, as an example is set`],
  ]);
});

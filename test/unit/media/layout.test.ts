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
  const pieces = [
    "\f",
    "\fa\n",
    "a\n\n\f\n",
    "-",
    "- ",
    "--  ",
    "| ",
    "a'",
    "-a  b ",
    " ",
    "a\n",
    "--\n",
    "-a\n",
    "  -a b\n",
    "a  b\n",
    "\t",
    "=",
    "+-",
    "\u253c",
    "1. ",
  ];
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

const pathsIn = async (source: string, name = "a.txt") => (await unitsIn(source, name)).map(([path]) => path);

test("underlined headings rank as they appear, a line above apart; numbers put them below one another", async () => {
  const under = (...heads: [string, string][]) => heads.map(([text, sign]) => `${text}\n${sign.repeat(text.length)}\n\nText of it.\n`).join("\n");
  expect(await pathsIn(under(["1 Overview", "*"], ["2 Lists", "*"], ["2.1 Deep", "="], ["3 More", "*"]))).toEqual([
    "1 Overview",
    "2 Lists",
    "2 Lists > 2.1 Deep",
    "3 More",
  ]);
  expect(await pathsIn(under(["Alpha", "#"], ["Sec", "="], ["Sub", "-"], ["Appendix", "#"]))).toEqual([
    "Alpha",
    "Alpha > Sec",
    "Alpha > Sec > Sub",
    "Appendix",
  ]);
  expect(await pathsIn(`=====\nTitle\n=====\n\nText.\n\n${under(["First", "="], ["Second", "="])}`)).toEqual([
    "Title",
    "Title > First",
    "Title > Second",
  ]);
  expect(await pathsIn(under(["Preface", "="], ["1 Start", "*"], ["1.1 Deep", "="], ["1.1.1 Deeper", "="], ["2 End", "*"]))).toEqual([
    "Preface",
    "Preface > 1 Start",
    "Preface > 1 Start > 1.1 Deep",
    "Preface > 1 Start > 1.1 Deep > 1.1.1 Deeper",
    "Preface > 2 End",
  ]);
});

test("names of columns above one rule head a table", async () => {
  const text =
    "Prices\n\nService            Standard   E-bike   Duration\n------------------------------------------\nSmall inspection      49.00    69.00     45 min\nLarge inspection      99.00   139.00     2 h\nWheel truing          22.00    28.00     30 min\n";
  const rows = [
    "| Service: Small inspection | Standard: 49.00 | E-bike: 69.00 | Duration: 45 min",
    "| Service: Large inspection | Standard: 99.00 | E-bike: 139.00 | Duration: 2 h",
    "| Service: Wheel truing | Standard: 22.00 | E-bike: 28.00 | Duration: 30 min",
  ];
  expect(await unitsIn(text, "a.txt")).toEqual([["Prices", rows.join("\n")]]);
  expect(await pathsIn("1.  A  title\n------------\n\nText of it.\n")).toEqual(["1. A title"]);
});

test("a numbered heading may begin with the path that it is about", async () => {
  expect(
    await pathsIn("2. Directories\n\n2.1. Purpose\n\nThey hold files.\n\n2.2. /berth : Berth plans\n\n2.2.1. Purpose\n\nIt has plans.\n"),
  ).toEqual(["2. Directories > 2.1. Purpose", "2. Directories > 2.2. /berth : Berth plans > 2.2.1. Purpose"]);
});

test("a numbered heading right above another, or above its text; items of a list are none", async () => {
  expect(await pathsIn("My title\n========\n\n1. Installation\n\n1.1 Requirements\n\nQuillfish needs 2 GiB.\n\n1.2 Steps\n\nDo this.\n")).toEqual([
    "My title > 1. Installation > 1.1 Requirements",
    "My title > 1. Installation > 1.2 Steps",
  ]);
  expect(
    await unitsIn("1. Installation\nTo install the thing, type this.\n\n1.1 Requirements\nIt needs 2 GiB.\n\n2. Use\nIt is used by hand.\n", "a.txt"),
  ).toEqual([
    ["1. Installation", "To install the thing, type this."],
    ["1. Installation > 1.1 Requirements", "It needs 2 GiB."],
    ["2. Use", "It is used by hand."],
  ]);
  for (const list of [
    "1. Open the door\n2. Close it",
    "1. Open the door\n\n2. Close it",
    "1. Open the door of the house and tell\nAnn of it",
    "1. Open the door\n   Tell Ann of it",
  ])
    expect(await pathsIn(`Do this:\n\n${list}\n`)).toEqual([""]);
});

test("a heading above indented terms is in their path and makes no Unit", async () => {
  expect(await unitsIn("What it reads.\n\nEnvironment\n\n  CRANE_HOME\n      Where it lives.\n\n  CRANE_DEBUG\n      Says more.\n", "a.txt")).toEqual(
    [
      ["", "What it reads."],
      ["Environment > CRANE_HOME", "Where it lives."],
      ["Environment > CRANE_DEBUG", "Says more."],
    ],
  );
  expect(await pathsIn("Environment\n\n  CRANE_HOME   where it lives\n\n  CRANE_DEBUG  says more\n")).toEqual([
    "Environment > CRANE_HOME",
    "Environment > CRANE_DEBUG",
  ]);
});

test("a tab reaches to the next column of eight; the text keeps it", async () => {
  const tabbed =
    "     -2\t\t   Assume 256 colours.\n\t\t   This is like -T 256.\n\n     -l\t\t   Behave as a login shell.  This flag has no effect\n\t\t   and is for others.\n";
  expect(await unitsIn(`OPTIONS\n${tabbed}`, "a.txt")).toEqual([
    ["OPTIONS > -2", tabbed.split("\n\n")[0]?.trimStart()],
    ["OPTIONS > -l", tabbed.split("\n\n")[1]?.trim()],
  ] as [string, string][]);
  expect(await unitsIn("Name\tSize\nshort\t10\nlongername\t12\n", "a.txt")).toEqual([["", "Name\tSize\nshort\t10\nlongername\t12"]]);
  expect(await unitsIn("Name\t\tSize\nshort\t\t10\nlongername\t12\n", "a.txt")).toEqual([
    ["", "| Name: short | Size: 10\n| Name: longername | Size: 12"],
  ]);
});

test("two blanks in a single line of prose set off no term, unless its column recurs", async () => {
  const page = (body: string) => `CRANE(1)         User Commands         CRANE(1)\n\nDESCRIPTION\n${body}`;
  const prose =
    "       crane_threshold (0)\n              Renamed  to crane_limit in version 3.6.\n\n       For  examples, see the EXAMPLES section.\n";
  expect(await pathsIn(page(prose))).toEqual(["CRANE(1) > DESCRIPTION > crane_threshold (0)", "CRANE(1) > DESCRIPTION"]);
  const below = "       user@domain\n              All of it, the user and the domain.\n\n       user@  The part before the sign.\n";
  expect((await pathsIn(page(below))).at(-1)).toBe("CRANE(1) > DESCRIPTION > user@");
  expect(await pathsIn(page("       abc  The first.\n\n       def  The second.\n"))).toEqual([
    "CRANE(1) > DESCRIPTION > abc",
    "CRANE(1) > DESCRIPTION > def",
  ]);
});

const foot = (page: number) => `Doe                          Standards Track                    [Page ${page}]`;
const MEMO = `1.  Sending

   A quill is sent to the receiver, who answers with the number of
   those that were received before, as


${foot(1)}
\f
RFC 9999                         Quills                      June 2020


   the sender has asked for.

2.  Receiving

   Memory of 2 GiB is needed.


${foot(2)}
\f
RFC 9999                         Quills                      June 2020


   So much of it.
`;

test("running heads and feet at form feeds are left out, and the paragraph that they cut is whole", async () => {
  const units = await unitsOf(extractProse(await sniffedFile(MEMO, "rfc.txt"), 0));
  expect(units.map(({ path, text }) => [path[0], text?.replace(/\s+/g, " ")])).toEqual([
    ["1. Sending", "A quill is sent to the receiver, who answers with the number of those that were received before, as the sender has asked for."],
    ["2. Receiving", "Memory of 2 GiB is needed. So much of it."],
  ]);
  expect(
    units.map(
      ({ locator }) =>
        locator?.kind === "char_span" &&
        MEMO.slice(locator.start, locator.end).split(/\s+/).slice(0, 2).concat(MEMO.slice(0, locator.end).split(/\s+/).slice(-2)),
    ),
  ).toEqual([
    ["A", "quill", "asked", "for."],
    ["Memory", "of", "of", "it."],
  ]);
});

test("what recurs by its text alone at form feeds is left out; heads of chapters stay", async () => {
  const pages = [1, 2, 3].map((at) => `The Handbook of Cranes\n\nText of page ${at}, which ends.\n\n- ${at} -\n`).join("\f");
  const text = (await unitsIn(pages, "a.txt")).map(([, each]) => each).join(" ");
  expect(text.match(/Text of page \d/g)).toHaveLength(3);
  expect(text).not.toMatch(/- \d -/);
  const chapters = [1, 2, 3].map((at) => `Chapter ${at}\n\nText of chapter ${at}, which ends here.\n`).join("\f");
  expect(await pathsIn(chapters)).toEqual(["Chapter 1", "Chapter 2", "Chapter 3"]);
  expect(
    (await unitsIn(`${"x = 1;\n".repeat(20)}}\n\f\n${"y = 1;\n".repeat(20)}}\n`, "a.txt"))
      .map(([, each]) => each)
      .join("")
      .match(/\}/g),
  ).toHaveLength(2);
});

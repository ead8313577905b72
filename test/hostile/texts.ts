/** Hostile texts and logs: encodings that are none, lines without end, and words that make patterns slow. */
import { bytesOf, noise, repeated, streamed } from "./bytes.ts";
import { type HostileFile, refused, taken } from "./case.ts";

const MIB = 1_048_576;
const WORDS = "The tide tables are kept in the harbour office.";
const read = { says: [WORDS] };
const UNKNOWN = /the format of this file is not known/;
/** Lines of a log. */
const ENTRIES = Array.from({ length: 10 }, (_, at) => `2026-08-01T10:00:0${at} INFO pump started\n`).join("");

const SMALL: HostileFile[] = [
  ["nothing", "a.txt", () => "", refused(/the file is empty/)],
  ["one byte that is no text", "a.txt", () => new Uint8Array(1), refused(UNKNOWN)],
  ["one letter", "a.txt", () => "x", taken("chunk", { says: ["x"] })],
  ["a byte order mark and nothing else", "a.txt", () => bytesOf([0xef, 0xbb, 0xbf]), taken("", { notes: /no text/ })],
  ["half of a UTF-16 letter", "a.txt", () => bytesOf([0xff, 0xfe, 0x41]), taken("chunk")],
  ["nothing but blanks", "a.txt", () => " \n\t".repeat(100_000), taken("", { notes: /no text/ })],
  ["noise", "a.bin", () => noise(100_000), refused(UNKNOWN)],
  ["zeros", "a.bin", () => new Uint8Array(5_000_000), refused(UNKNOWN)],
];

const ENCODINGS: HostileFile[] = [
  ["UTF-16 without a mark", "a.txt", () => Buffer.from(WORDS.repeat(100), "utf16le"), taken("chunk", read)],
  ["UTF-16 of the other order without a mark", "a.txt", () => Buffer.from(WORDS.repeat(100), "utf16le").swap16(), taken("chunk", read)],
  [
    "UTF-16 with lone surrogates",
    "a.txt",
    () => bytesOf([0xff, 0xfe], Buffer.from(`${WORDS} \ud800 \udc00 \udfff\ud800`, "utf16le")),
    taken("chunk", read),
  ],
  ["UTF-16 of nothing but surrogates", "a.txt", () => bytesOf([0xff, 0xfe], repeated([0, 0xd8], 100_000)), taken("chunk")],
  [
    "UTF-8 that is longer than it need be",
    "a.txt",
    () => bytesOf(WORDS, [0xc0, 0xaf, 0xe0, 0x80, 0xaf, 0xf0, 0x80, 0x80, 0xaf, 0xc0, 0x80], WORDS),
    taken("chunk", read),
  ],
  ["UTF-8 of surrogates", "a.txt", () => bytesOf(WORDS, [0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80], WORDS), taken("chunk", read)],
  [
    "UTF-8 beyond Unicode",
    "a.txt",
    () => bytesOf(WORDS, [0xf4, 0x90, 0x80, 0x80, 0xf8, 0x88, 0x80, 0x80, 0x80, 0xff, 0xfe], WORDS),
    taken("chunk", read),
  ],
  ["UTF-8 that is cut", "a.txt", () => bytesOf(WORDS, [0xe2, 0x82]), taken("chunk", read)],
  ["a few NULs in a long text", "a.txt", () => `${`${WORDS}\n`.repeat(100)}\0${WORDS}\0`, taken("chunk", read)],
  [
    "letters that turn the direction and that show nothing",
    "a.txt",
    () => `${WORDS} \u202e\u2066\u200b\u{e0041}\u2029`.repeat(50),
    taken("chunk", read),
  ],
  ["a letter with 100,000 accents", "a.txt", () => `${WORDS} a${"\u0301".repeat(100_000)}`, taken("chunk", read)],
  [
    "UTF-32 with its mark",
    "a.txt",
    () => bytesOf([0xff, 0xfe, 0, 0], Buffer.from([...WORDS].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0]))),
    refused(UNKNOWN),
  ],
];

const LONG: HostileFile[] = [
  [
    "a word of 2 MB",
    "a.txt",
    () =>
      streamed(function* () {
        for (let at = 0; at < 2; at += 1) yield Buffer.alloc(MIB, "x");
      }),
    taken("chunk"),
  ],
  ["two million line ends", "a.txt", () => "\n".repeat(2_000_000) + WORDS, taken("chunk", read)],
  [
    "Markdown: 100,000 brackets and quotes",
    "a.md",
    () => `${WORDS}\n\n${"[".repeat(100_000)}${"> ".repeat(100_000)}${"*_`".repeat(50_000)}`,
    taken("chunk", read),
  ],
  ["Markdown: front matter without end", "a.md", () => `---\ntitle: ${"&a [*a, *a] ".repeat(50_000)}\n${WORDS}`, taken("chunk")],
  ["Markdown: 50,000 headings", "a.md", () => `${WORDS}\n${"# x\n".repeat(50_000)}`, taken("chunk", read)],
];

/** A log whose lines are these, among real ones. */
const logOf = (lines: Iterable<string>) => `${ENTRIES}${[...lines].join("\n")}\n${ENTRIES}`;
const some = (make: (at: number) => string, count = 300) => Array.from({ length: count }, (_, at) => make(at));
const letters = (at: number) => at.toString(36).replaceAll(/\d/g, (digit) => "ghijklmnop".charAt(Number(digit)));

const LOGS: HostileFile[] = [
  ["log: noise", "a.log", () => noise(200_000), refused(UNKNOWN)],
  [
    "log: noise behind lines of text",
    "a.log",
    () => bytesOf(ENTRIES.repeat(200), noise(20_000)),
    taken("chunk log_template", { says: ["INFO pump started"] }),
  ],
  ["log: a picture named a log", "a.log", () => bytesOf("\x89PNG\r\n\x1a\n", noise(5_000)), refused(/PNG file is (?:damaged|cut short)/)],
  [
    "log: a line of 100 MB",
    "a.log",
    () =>
      streamed(function* () {
        yield Buffer.from(ENTRIES);
        for (let at = 0; at < 100; at += 1) yield Buffer.alloc(MIB, "verylong ");
        yield Buffer.from(`\n${ENTRIES}`);
      }),
    taken("chunk log_template", { says: ["INFO pump started"], notes: /longer than 8192 characters/ }),
  ],
  [
    "log: a million lines that are all different",
    "a.log",
    () =>
      streamed(function* () {
        for (let at = 0; at < 1_000; at += 1) {
          const lines = some(
            (line) => `2026-08-01T10:00:00 ${letters(at * 1_000 + line)} ${letters(line * 7_919 + at)} ${letters(at)} happened\n`,
            1_000,
          );
          yield Buffer.from(lines.join(""));
        }
      }),
    taken("chunk log_template", { notes: /joined the nearest/ }),
  ],
  ["log: 400 lines of all lengths", "a.log", () => logOf(some((at) => `${letters(at)} `.repeat(at % 40), 400)), taken("chunk log_template")],
  [
    "log: a stack trace without end",
    "a.log",
    () => logOf(some(() => "    at org.example.Main.run(Main.java:1)", 500_000)),
    taken("chunk log_template", { says: ["INFO pump started"] }),
  ],
  [
    "log: lines of dots, slashes, colons and digits",
    "a.log",
    () =>
      logOf(
        ["1.", "a.", "/a", ":a", "-", "a@a.", "0x", "1:", "aa://", "[[", "\\", "_1", "1,"].flatMap((piece) =>
          some((at) => piece.repeat(8_192 / piece.length - at), 1),
        ),
      ),
    taken("chunk log_template", { says: ["INFO pump started"] }),
  ],
  [
    "log: lines that begin like times",
    "a.log",
    () => logOf(["Mon, ", "2026-", "[", "(", "<1>", "12:", "Jan ", "1999999999 "].flatMap((piece) => some((at) => piece.repeat(1_000 + at), 1))),
    taken("chunk log_template", { says: ["INFO pump started"] }),
  ],
  [
    "log: colours without end",
    "a.log",
    () => logOf(some(() => "\u001b[".repeat(4_000))),
    taken("chunk log_template", { says: ["INFO pump started"] }),
  ],
  [
    "log: placeholders like our own",
    "a.log",
    () => logOf(some((at) => `<*> <*> ${"<*> ".repeat(at % 50)}`)),
    taken("chunk log_template", { says: ["INFO pump started"] }),
  ],
];

export const TEXTS: HostileFile[] = [...SMALL, ...ENCODINGS, ...LONG, ...LOGS];

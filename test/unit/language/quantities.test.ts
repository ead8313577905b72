import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compareQuantities } from "../../../src/language/en/compare.ts";
import { quantities } from "../../../src/language/en/quantities.ts";
import { SEED } from "../../property/seed.ts";

/** `kind value unit` of each; a date as year-month-day with gaps. */
function read(text: string): string[] {
  return quantities(text).map(({ kind, value, unit, date }) =>
    date === undefined ? [kind, value, unit ?? ""].join(" ").trim() : `date ${date.year ?? "?"}-${date.month ?? "?"}-${date.day ?? "?"}`,
  );
}

const READINGS: [string, string[]][] = [
  [
    "4,200 and 4\u202f200 and 1.5, 6½, .5, -3 or −3",
    ["number 4200", "number 4200", "number 1.5", "number 6.5", "number 0.5", "number -3", "number -3"],
  ],
  ["twenty-five men, two hundred and six, a dozen, half, zero", ["number 25", "number 206", "number 12", "number 0"]],
  ["18.4 million people, 1.2k, eleven point eight, two hundred thousand", ["number 18400000", "number 1200", "number 11.8", "number 200000"]],
  [
    "$5m, €1.2bn, EUR 86,400, 3 million dollars, US$ 5, 142.00 EUR/MWh",
    ["money 5000000 usd", "money 1200000000 eur", "money 86400 eur", "money 3000000 usd", "money 5 usd", "money 142 eur"],
  ],
  ["5%, 6.5 percent, 7 per cent", ["percent 5 %", "percent 6.5 %", "percent 7 %"]],
  [
    "10 mm, 5 km, 3 miles, 1.2 megawatts, 2 kW, 7 mW",
    ["number 0.01 m", "number 5000 m", "number 3 mile", "number 1200000 W", "number 2000 W", "number 0.007 W"],
  ],
  ["95 °C, 95 degrees C, 85.0 degC, 14.2 degrees", ["number 95 °C", "number 95 °C", "number 85 °C", "number 14.2 °"]],
  ["13 d 08 h 33 min, 3-day, 2 years", ["number 1123200 s", "number 28800 s", "number 1980 s", "number 259200 s", "number 24 month"]],
  ["4-5 km, between 3 and 5 kW, 4–5%", ["number 4000 m", "number 5000 m", "number 3000 W", "number 5000 W", "percent 4 %", "percent 5 %"]],
  ["03:12, 3:12 pm, 3 p.m., 12:30 am, seven o'clock, noon", ["time 192", "time 912", "time 900", "time 30", "time 420", "time 720"]],
  ["at 14:20:30", ["time 860.5"]],
  [
    "14 March 2019; March 14, 2019; 4 March; 2019-03-14; the 14th of March",
    ["date 2019-3-14", "date 2019-3-14", "date ?-3-4", "date 2019-3-14", "date ?-3-14"],
  ],
  [
    "March 2019; in 2019; the 1990s; 21.03.26; 24 to 26 March",
    ["date 2019-3-?", "date 2019-?-?", "date 1990-?-?", "date 2026-3-21", "date ?-3-24", "date ?-3-26"],
  ],
  ["2026-03-18T23:40", ["date 2026-3-18", "time 1420"]],
  ["today, next Friday, in 5 minutes, Sun and Mon sat, 5/8 inch, may 3.5", ["number 300 s", "number 5", "number 8 inch", "number 3.5"]],
  ["1500 people, 3000", ["number 1500", "number 3000"]],
  ["the 7th, the seventh, twenty-first", ["ordinal 7", "ordinal 7", "ordinal 21"]],
  [
    "Turbine 7, turbine seven, Unit 3, type 2, line three, No. 7, Apollo 11 was",
    ["label 7 turbine", "number 7", "label 3 unit", "label 2 type", "label 3 line", "label 7 no", "label 11 apollo"],
  ],
  ["IL-6, CO2, p53, T7, VE-7-02, GC-220", ["label 6 il", "label 2 co", "label 53 p", "label 7 t", "label 2 ve-7", "label 220 gc"]],
  ["H2O v1.2.3 10.7.2.22 0x2B 4B VA-23148-K", []],
  ["One of them may march on; the second hand", ["ordinal 2"]],
  ["Added 6 sacks. Found 3 boats.", ["number 6", "number 3"]],
];

describe("quantities", () => {
  for (const [text, expected] of READINGS) test(text, () => expect(read(text)).toEqual(expected));

  test("spans hold what was read", () => {
    const text = "It fell to −3.5 °C on 14 March 2019 at 3 p.m., for EUR 86,400.";
    expect(quantities(text).map(({ start, end }) => text.slice(start, end))).toEqual(["−3.5 °C", "14 March 2019", "3 p.m.", "EUR 86,400"]);
  });

  test("a number is read alike in every form", () => {
    fc.assert(
      fc.property(fc.integer({ min: 3_000, max: 999_999_999 }), fc.constantFrom(",", "\u00a0", "\u2009", "\u202f"), (value, separator) => {
        const grouped = value.toLocaleString("en").replaceAll(",", separator);
        expect(read(`it counted ${value} and ${grouped} fish`)).toEqual([`number ${value}`, `number ${value}`]);
      }),
      { seed: SEED },
    );
  });
});

/** claim, premise, missing, conflicting pairs. */
const COMPARISONS: [string, string, string[], [string, string][]][] = [
  ["It has 5 turbines", "It has 7 turbines", ["5"], [["5", "7"]]],
  ["It has 5 turbines", "It has 7 boats", ["5"], []],
  ["about 90 °C", "94 °C", [], []],
  ["90 °C", "94 °C", ["90 °C"], [["90 °C", "94 °C"]]],
  ["Turbine 7 stopped", "Turbine 3 stopped", ["7"], [["7", "3"]]],
  ["Turbine 7 stopped", "T7 tripped, Turbine 3 ran", [], []],
  ["on 14/03/2019", "on 14 March 2019", [], []],
  ["on 4 March 2019", "on 03/04/2019", [], []],
  ["on 3 April 2019", "on 03/04/2019", [], []],
  ["on 5 May 2019", "on 03/04/2019", ["5 May 2019"], [["5 May 2019", "03/04/2019"]]],
  ["on 03/04/2019", "on 04/03/2019", [], []],
  ["at 02:47", "at 02:47:12", [], []],
  ["at 3 pm", "at 15:01", ["3 pm"], [["3 pm", "15:01"]]],
  ["on 19 March", "on 19 March 2026", [], []],
  ["on 14 March 2019", "On 14 March it rained. 2019 was wet.", [], []],
  ["on 18 March 2026", "on 19 March 2026", ["18 March 2026"], [["18 March 2026", "19 March 2026"]]],
  ["in 2025", "on 19 March 2026", ["2025"], [["2025", "19 March 2026"]]],
  ["in 2025", "on 19 March", ["2025"], []],
  ["more than 5 kW", "7 kW", [], []],
  ["at least 9 kW", "7 kW", ["9 kW"], [["9 kW", "7 kW"]]],
  ["up to 9 kW", "7 kW", [], []],
  ["no more than 5 kW", "7 kW", ["5 kW"], [["5 kW", "7 kW"]]],
  ["a reading of 5", "5 km", [], []],
  ["2.5 km", "2,500 m", [], []],
  ["18.4 million people", "18,400,000 people", [], []],
  ["seven boats", "7 boats", [], []],
  ["$5", "6 dollars", ["$5"], [["$5", "6 dollars"]]],
  ["5 percent", "5 km", ["5 percent"], []],
  ["the third advisory", "the fifth advisory", ["third"], [["third", "fifth"]]],
];

describe("a claim's quantities against a premise", () => {
  for (const [claim, premise, missing, conflicting] of COMPARISONS) {
    test(`"${claim}" in "${premise}"`, () => {
      const found = compareQuantities(claim, premise);
      expect(found.missing.map(({ start, end }) => claim.slice(start, end))).toEqual(missing);
      expect(
        found.conflicting.map((pair) => [claim.slice(pair.claim.start, pair.claim.end), premise.slice(pair.premise.start, pair.premise.end)]),
      ).toEqual(conflicting);
    });
  }
});

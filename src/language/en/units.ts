/** Units of measure: what they are called, and how they compare. */
import { matchAt } from "./numbers.ts";

export interface UnitOfMeasure {
  /** The unit in which values are compared. */
  base: string;
  /** What one of this unit is in its base. */
  factor: number;
  kind: "number" | "percent" | "money";
}

/** `base: name=factor,name=factor`; names are lower case unless a capital makes the difference. */
const MEASURES = `
m: m metre metres meter meters=1 mm millimetre millimetres millimeter millimeters=0.001 cm centimetre centimetres centimeter centimeters=0.01 km kilometre kilometres kilometer kilometers=1000 µm μm um micrometre micrometres micron microns=0.000001 nm nanometre nanometres nanometer nanometers=0.000000001
mile: mile miles mi=1
foot: foot feet ft=1
inch: inch inches=1
g: g gram grams gramme grammes=1 mg milligram milligrams=0.001 µg μg ug microgram micrograms mcg=0.000001 kg kilogram kilograms kilo kilos=1000 t tonne tonnes=1000000
pound: lb lbs pound pounds=1
ton: ton tons=1
l: l L litre litres liter liters=1 ml mL millilitre millilitres milliliter milliliters=0.001 µl μl=0.000001
s: s sec secs second seconds=1 ms millisecond milliseconds=0.001 µs μs microsecond microseconds=0.000001 min mins minute minutes=60 h hr hrs hour hours=3600 d day days=86400 week weeks wk=604800
month: month months=1 yr yrs year years=12 decade decades=120 century centuries=1200
W: W watt watts=1 mW=0.001 kW kilowatt kilowatts=1000 MW megawatt megawatts=1000000 GW gigawatt gigawatts=1000000000
Wh: Wh=1 kWh=1000 MWh=1000000 GWh=1000000000
V: V volt volts=1 mV=0.001 kV kilovolt kilovolts=1000
A: A amp amps ampere amperes=1 mA=0.001
bar: bar bars=1 mbar millibar=0.001
Pa: Pa=1 hPa=100 kPa=1000 MPa=1000000
Hz: Hz hertz=1 kHz kilohertz=1000 MHz=1000000 GHz=1000000000
rpm: rpm=1
J: J joule joules=1 kJ=1000 MJ=1000000
N: N newton newtons=1 kN=1000
Nm: Nm=1
m/s: m/s=1 mm/s=0.001 km/s=1000 kt knot knots=0.5144444444444445 km/h kph=0.2777777777777778
mph: mph=1
°C: °c degc celsius=1
°F: °f degf fahrenheit=1
°: ° deg degree degrees=1
B: byte bytes=1 KB kB kilobyte kilobytes=1000 MB megabyte megabytes=1000000 GB gigabyte gigabytes=1000000000 TB=1000000000000 KiB=1024 MiB=1048576 GiB=1073741824
dB: dB decibel decibels=1
mg/l: mg/l=1 µg/l=0.001 g/l=1000
mg/kg: mg/kg=1
m²: m² m2=1 km² km2=1000000 hectare hectares ha=10000
m³: m³ m3=1`;

const UNITS = new Map<string, UnitOfMeasure>([
  ["%", { base: "%", factor: 1, kind: "percent" }],
  ["percent", { base: "%", factor: 1, kind: "percent" }],
  ["pct", { base: "%", factor: 1, kind: "percent" }],
  ...currency("usd", "$ us$ usd dollar dollars"),
  ...currency("eur", "€ eur euro euros"),
  ...currency("gbp", "£ gbp"),
  ...measures(),
]);

function currency(base: string, names: string): [string, UnitOfMeasure][] {
  return names.split(" ").map((name) => [name, { base, factor: 1, kind: "money" }]);
}

function measures(): [string, UnitOfMeasure][] {
  return MEASURES.trim()
    .split("\n")
    .flatMap((line) => {
      const [base = "", list = ""] = line.split(/: (.*)/);
      return [...list.matchAll(/([^=]+)=(\S+)\s?/g)].flatMap(([, names = "", factor]) =>
        names.split(" ").map((name): [string, UnitOfMeasure] => [name, { base, factor: Number(factor), kind: "number" }]),
      );
    });
}

/** The unit written `name`; capitals count in the short ones (mW, MW). */
export function unitNamed(name: string): UnitOfMeasure | null {
  return UNITS.get(name) ?? (name.length > 2 || /[^a-z]/i.test(name) ? UNITS.get(name.toLowerCase()) : undefined) ?? null;
}

/** What may follow a number as its unit: a degree, a percentage, or a word with at most one "per". */
const AFTER_NUMBER =
  /[ \u00a0\u2009\u202f]?-?(?:(?:degrees?|deg\.?|°)[ \u00a0]?(celsius|fahrenheit|[cCfF])(?![\p{L}\p{N}])|(per cent)(?![\p{L}\p{N}])|(%|°|[$€£]|[\p{L}µμ]{1,16}(?:[²³23](?![\p{L}\p{N}])|\/[\p{L}]{1,8})?(?![\p{L}\p{N}])))/uy;

/** The unit that follows at `at`, and where it ends. */
export function unitAt(text: string, at: number): { unit: UnitOfMeasure; end: number } | null {
  const match = matchAt(AFTER_NUMBER, text, at);
  if (match === null) return null;
  const [whole, degrees, percent, name = ""] = match;
  const unit = unitNamed(degrees !== undefined ? `°${degrees[0]}` : percent !== undefined ? "%" : name) ?? currencyPer(name);
  return unit === null ? null : { unit, end: at + whole.length };
}

/** The currency of a price per something, which is still a price; a rate of another kind is no such measure. */
function currencyPer(name: string): UnitOfMeasure | null {
  const unit = unitNamed(name.replace(/\/.*/, ""));
  return unit?.kind === "money" ? unit : null;
}

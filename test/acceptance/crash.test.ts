/** kill -9 of the executable while several clients write to it: what was acknowledged is there afterwards, once. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";
import { type Answer, Sandbox, type Server } from "./support.ts";

setDefaultTimeout(300_000);

const KILLS = 10;
const CLIENTS = 3;
const WORKING_MAX_MS = 2_000;
/** Some kills come while the process still opens the directory. */
const KILL_WHILE_OPENING = 0.2;
const OPENING_MAX_MS = 1_200;
const BATCH_MAX = 5;
/** Older Units that are looked up in every round; the last round looks up all. */
const SAMPLE = 25;

/** A Unit as one client sent it. `rev` counts its updates, which change its metadata and nothing of its identity. */
interface Sent {
  word: string;
  client: number;
  /** Newest revision that was answered; null while none was. */
  acknowledged: number | null;
  /** Newest revision that was sent. */
  sent: number;
}

/** Requests that got no answer: each is stored whole or not at all. */
interface Unanswered {
  batch: Sent[];
  rev: Map<Sent, number>;
}

interface Listed {
  unit_id: string;
  text: string;
  metadata: { rev: number };
}

const sandbox = new Sandbox();
afterAll(() => sandbox.dispose());

const units: Sent[] = [];
let token = "";

const textOf = ({ word, client }: Sent) => `client ${client} notes ${word} beside the slipway`;

function bodyOf(batch: readonly Sent[]) {
  return {
    units: batch.map((unit) => ({
      modality: unit.client === 0 ? "text" : "asr",
      text: textOf(unit),
      scope: `slip/c${unit.client}`,
      metadata: { rev: unit.sent },
    })),
  };
}

/** Sends batches of new Units and updates until the server is gone; returns the one that got no answer. */
async function client(server: Server, number: number, random: Random): Promise<Unanswered | null> {
  for (;;) {
    const mine = units.filter((unit) => unit.client === number);
    const updates = mine.length === 0 ? [] : [...new Set(Array.from({ length: random.integer(0, 3) }, () => random.pick(mine)))];
    const fresh = Array.from({ length: random.integer(updates.length === 0 ? 1 : 0, BATCH_MAX) }, () => newUnit(number));
    const batch = [...updates, ...fresh];
    units.push(...fresh);
    for (const unit of updates) unit.sent += 1;
    const rev = new Map(batch.map((unit) => [unit, unit.sent]));
    const answer = await server.call("POST", "/v1/ingest", { token, body: bodyOf(batch) }).catch(() => null);
    if (answer === null) return { batch, rev };
    expect({ status: answer.status, ingested: answer.body.ingested }).toEqual({ status: 200, ingested: batch.length });
    for (const unit of batch) unit.acknowledged = rev.get(unit) ?? null;
  }
}

const acknowledged = () => units.filter((unit) => unit.acknowledged !== null);
const updated = () => units.filter((unit) => (unit.acknowledged ?? 0) > 0);

function newUnit(client: number): Sent {
  return { word: `zx${units.length.toString(36)}q${crypto.randomUUID().slice(0, 8)}`, client, acknowledged: null, sent: 0 };
}

async function listed(server: Server): Promise<Map<string, Listed[]>> {
  const found = new Map<string, Listed[]>();
  for (let cursor: number | null = 0; cursor !== null; ) {
    const { body }: Answer = await server.call("GET", `/v1/units?scope=*&cursor=${cursor}`, { token });
    for (const unit of body.units as Listed[]) found.set(unit.text, [...(found.get(unit.text) ?? []), unit]);
    cursor = body.next_cursor;
  }
  return found;
}

/** Everything that is wrong with what a started server holds. */
async function faultsOf(server: Server, looked: readonly Sent[], lost: readonly Unanswered[]): Promise<string[]> {
  const stored = await listed(server);
  const faults: string[] = [];
  for (const unit of units) {
    const copies = stored.get(textOf(unit)) ?? [];
    const rev = copies[0]?.metadata.rev ?? null;
    if (copies.length > 1) faults.push(`${unit.word} is listed ${copies.length} times`);
    if (unit.acknowledged !== null && (rev === null || rev < unit.acknowledged))
      faults.push(`${unit.word} has revision ${rev}, ${unit.acknowledged} was acknowledged`);
    if (rev !== null && rev > unit.sent) faults.push(`${unit.word} has revision ${rev}, ${unit.sent} was sent`);
  }
  for (const { batch, rev } of lost) {
    const applied = batch.filter((unit) => stored.get(textOf(unit))?.[0]?.metadata.rev === rev.get(unit)).length;
    if (applied !== 0 && applied !== batch.length) faults.push(`${applied} Units of a batch of ${batch.length} are stored`);
  }
  for (const unit of looked.filter(({ acknowledged }) => acknowledged !== null)) {
    const { body } = await server.call("POST", "/v1/search", { token, headers: { "x-svc-scope": "*" }, body: { q: unit.word, mode: "fulltext" } });
    const texts = (body.hits as Listed[]).map(({ text }) => text);
    if (texts.join() !== textOf(unit)) faults.push(`searching ${unit.word} finds ${JSON.stringify(texts)}`);
  }
  const { body: report } = await server.call("GET", "/v1/audit/verify", { token });
  if (!report.intact) faults.push(`the chain breaks at ${report.break_at}: ${report.reason}`);
  return faults;
}

test(`${KILLS} kills lose nothing and repeat nothing`, async () => {
  const random = new Random(SEED);
  const create = ["token", "create", "w", "--principal", "writer", "--namespace", "slip", "--tier", "enterprise", "--perms", "read,write,admin"];
  token = (await sandbox.run(create)).stdout.trim();
  let lost: Unanswered[] = [];
  let newest: Sent[] = [];
  let opening = 0;
  for (let kill = 1; kill <= KILLS; ) {
    if (kill < KILLS && random.chance(KILL_WHILE_OPENING)) {
      const early = sandbox.spawn(["serve", "--port", "0"]);
      await Bun.sleep(random.integer(1, OPENING_MAX_MS));
      expect((await early.kill("SIGKILL")).stderr).not.toContain("strata:");
      opening += 1;
      kill += 1;
      continue;
    }
    const server = await sandbox.serve();
    const sample = Array.from({ length: Math.min(SAMPLE, units.length) }, () => random.pick(units));
    expect({ kill, faults: await faultsOf(server, [...newest, ...sample], lost) }).toEqual({ kill, faults: [] });
    const before = units.length;
    const clients = Array.from({ length: CLIENTS }, (_, number) => client(server, number, new Random(random.integer(0, 2 ** 31))));
    await Bun.sleep(random.integer(1, WORKING_MAX_MS));
    // However slow the machine is, enough was acknowledged to lose some of it.
    while (kill === KILLS && (acknowledged().length <= KILLS || updated().length === 0)) await Bun.sleep(1);
    const [ended, ...unanswered] = await Promise.all([server.process.kill("SIGKILL"), ...clients]);
    expect(ended.stderr).toBe(`listening on ${server.address}\n`);
    lost = unanswered.filter((one) => one !== null);
    newest = units.slice(before);
    kill += 1;
  }
  const last = await sandbox.serve();
  expect(await faultsOf(last, units, lost)).toEqual([]);
  expect((await last.stop()).code).toBe(0);
  expect(await sandbox.run(["doctor"])).toMatchObject({ code: 0, stdout: expect.stringContaining("no fault found") });
  expect((await sandbox.run(["audit", "verify"])).code).toBe(0);
  process.stderr.write(
    `acceptance crash: ${KILLS} kills, ${opening} while opening; ${acknowledged().length} of ${units.length} Units acknowledged, ${updated().length} updated\n`,
  );
});

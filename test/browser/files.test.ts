/** Files, from dropping them to finding and deleting them. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "bun:test";
import type { Page } from "playwright-core";
import { ADMIN, eventually } from "../acceptance/support.ts";
import { SCRATCH } from "../support/scratch.ts";
import { inChromium, TEST_MAX_MS, useStand } from "./support.ts";

const stand = useStand();
const markdown = (text: string) => ({ mimeType: "text/markdown", buffer: Buffer.from(`# Lantern roster\n\n${text}\n`) });
const transfer = (page: Page, name: string) => page.locator(".transfer").filter({ hasText: name });

/** Chooses files as the file dialog would. */
async function choose(page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  await page.getByLabel("Files", { exact: true }).setInputFiles(files);
}

/** Names of the stored files, as the API tells them. */
async function storedNames(): Promise<string[]> {
  const { body } = await stand().api("GET", "/v1/files?limit=100", { token: ADMIN, headers: { "x-svc-scope": "*" } });
  return body.files.map(({ name }: { name: string }) => name);
}

describe("Units", () => {
  inChromium(
    "stand the newest first or the oldest; those of a file come with one request",
    () =>
      stand().visit("demo-admin", "files", async (page) => {
        await choose(page, { name: "ledger.md", ...markdown("Soren keeps the teal ledger.\n\n## Keys\n\nThe keys hang behind the stove.") });
        await transfer(page, "ledger.md").getByText("Searchable").waitFor();
        const requests: string[] = [];
        page.on("request", (request) => requests.push(new URL(request.url()).pathname));
        await page.getByRole("table").getByRole("row").filter({ hasText: "ledger.md" }).getByRole("link").click();
        const titles = page.locator("a.unit-title");
        await page.getByText("keys hang behind").waitFor();
        expect(await titles.count()).toBeGreaterThan(1);
        expect(requests.filter((path) => path.startsWith("/v1/units"))).toEqual(["/v1/units"]);

        await page.getByRole("link", { name: "Show all Units" }).click();
        const first = page.getByRole("row").nth(1);
        await first.filter({ hasText: "ledger.md" }).waitFor();
        await page.getByLabel("Order").selectOption("Oldest first");
        await first.filter({ hasNotText: "ledger.md" }).waitFor();
        expect(page.url()).toEndWith("#/units?sort=created_at");
      }),
    TEST_MAX_MS,
  );
});

describe("adding", () => {
  inChromium(
    "a chosen file is sent, worked on, and found by the next search",
    () =>
      stand().visit("demo-admin", "files", async (page) => {
        await choose(page, { name: "roster.md", ...markdown("Maren trims the quince lantern on Thursdays.") });
        await transfer(page, "roster.md").getByText("Searchable").waitFor();
        await page.getByRole("table").getByText("roster.md").waitFor();
        const { body } = await stand().api("POST", "/v1/search", { body: { q: "quince lantern", top_k: 1 }, headers: { "x-svc-scope": "*" } });
        expect(body.hits[0].metadata.file_name).toBe("roster.md");
      }),
    TEST_MAX_MS,
  );

  inChromium(
    "a folder keeps the names below it, without hidden files",
    () =>
      stand().visit("demo-admin", "files", async (page) => {
        const folder = join(mkdtempSync(join(SCRATCH, "folder-")), "season");
        mkdirSync(join(folder, "march/.cache"), { recursive: true });
        writeFileSync(join(folder, "plan.md"), "# Plan\n\nThe season opens with the herring fair.\n");
        writeFileSync(join(folder, "march/log.md"), "# March\n\nIce on the inner basin until the ninth.\n");
        writeFileSync(join(folder, "march/.cache/state"), "not for anybody");
        await page.getByLabel("Folder", { exact: true }).setInputFiles(folder);
        await page.getByText("2 of 2 files searchable").waitFor();
        const names = (await storedNames()).filter((name) => name.startsWith("season/"));
        expect(names.sort()).toEqual(["season/march/log.md", "season/plan.md"]);
      }),
    TEST_MAX_MS,
  );

  inChromium(
    "what is dropped anywhere on the page is taken, and the page stays",
    () =>
      stand().visit("demo-admin", "files", async (page) => {
        const dropped = await page.evaluateHandle(
          "(() => { const data = new DataTransfer(); data.items.add(new File(['The ferry bell was recast in Ghent.'], 'bell.txt')); return data; })()",
        );
        await page.dispatchEvent("h1", "drop", { dataTransfer: dropped });
        await transfer(page, "bell.txt").getByText("Searchable").waitFor();
        expect(new URL(page.url()).hash).toBe("#/files");
      }),
    TEST_MAX_MS,
  );

  inChromium(
    "groups that are ticked may read the file, and others may not",
    () =>
      stand().visit("demo-admin", "files", async (page) => {
        await page.getByLabel("finance").check();
        await choose(page, { name: "levy.md", ...markdown("The levy on eel smokers is halved.") });
        await transfer(page, "levy.md").getByText("Searchable").waitFor();
        const { body } = await stand().api("GET", "/v1/files?limit=100", { headers: { "x-svc-scope": "*" } });
        expect(body.files.find(({ name }: { name: string }) => name === "levy.md").acl_groups).toEqual(["finance"]);
      }),
    TEST_MAX_MS,
  );

  inChromium(
    "a file that cannot be read says why in words, and can be deleted",
    () =>
      stand().visit("demo-admin", "files", async (page) => {
        await choose(page, { name: "torn.png", mimeType: "image/png", buffer: Buffer.from("89504e470d0a1a0a0000000d49484452ffff", "hex") });
        const row = transfer(page, "torn.png");
        await row.getByText("Failed", { exact: true }).waitFor();
        expect(await row.locator(".wrong").innerText()).toMatch(/^[A-Z].{10,}\.$/);
        await page.getByRole("button", { name: "Delete torn.png" }).first().click();
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("button", { name: "Cancel" }).click();
        expect(await storedNames()).toContain("torn.png");
        await page.getByRole("button", { name: "Delete torn.png" }).first().click();
        await dialog.getByRole("button", { name: "Delete" }).click();
        await page.getByText("torn.png is deleted.").waitFor();
        expect(await storedNames()).not.toContain("torn.png");
        expect(await page.locator(".transfer").count()).toBe(0);
      }),
    TEST_MAX_MS,
  );

  inChromium("what no second sending can help is not offered again", () =>
    stand().visit("demo-admin", "files", async (page) => {
      let sent = 0;
      page.on("request", (request) => {
        sent += request.method() === "POST" ? 1 : 0;
      });
      await choose(page, { name: "empty.md", mimeType: "text/markdown", buffer: Buffer.alloc(0) });
      await transfer(page, "empty.md").getByText("The file is empty.").waitFor();
      expect(sent).toBe(0);
      await choose(page, { name: "odd.bin", mimeType: "application/octet-stream", buffer: Buffer.from("00ff00fe01020304", "hex") });
      await transfer(page, "odd.bin").getByText("The format of this file is not known").waitFor();
      expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    }),
  );

  inChromium(
    "bytes that are stored under another name: the line says so",
    () =>
      stand().visit("demo-admin", "files", async (page) => {
        const same = markdown("The tern roost is on the west pier.");
        await choose(page, { name: "terns.md", ...same });
        await transfer(page, "terns.md").getByText("Searchable").waitFor();
        expect(await page.getByText("stored already").count()).toBe(0);
        await choose(page, { name: "roost.md", ...same });
        await transfer(page, "roost.md").getByText("these bytes were stored already").waitFor();
        expect(await storedNames()).not.toContain("terns.md");
      }),
    TEST_MAX_MS,
  );

  inChromium("who leaves the page while a file is being sent is asked first, and not afterwards", () =>
    stand().visit("demo-admin", "files", async (page) => {
      const asked = () =>
        page.evaluate(
          "(() => { const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented; })()",
        );
      expect(await asked()).toBe(false);
      const held = Promise.withResolvers<void>();
      await page.route("**/v1/files?*", async (route) => {
        if (route.request().method() === "POST") await held.promise;
        await route.continue();
      });
      await choose(page, { name: "leaving.md", ...markdown("The gull leaves at noon.") });
      await transfer(page, "leaving.md").getByText("Being sent").waitFor();
      expect(await asked()).toBe(true);
      held.resolve();
      await transfer(page, "leaving.md").getByText("Searchable").waitFor();
      expect(await asked()).toBe(false);
    }),
  );

  inChromium("who may only read is offered nothing to add", () =>
    stand().visit("demo-reader", "files", async (page) => {
      await page.getByText("You may read here").waitFor();
      expect(await page.getByRole("button", { name: /Choose/ }).count()).toBe(0);
      expect(await page.getByRole("button", { name: /^Delete/ }).count()).toBe(0);
    }),
  );
});

describe("a slow network", () => {
  /** Bytes a second of a poor mobile line. */
  const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 40_000 };

  inChromium(
    "an upload shows how far it is, and is sent once",
    () =>
      stand().visit("demo-admin", "files", async (page) => {
        const network = await page.context().newCDPSession(page);
        await network.send("Network.enable");
        await network.send("Network.emulateNetworkConditions", SLOW);
        let sent = 0;
        page.on("request", (request) => {
          sent += request.method() === "POST" && request.url().includes("/v1/files") ? 1 : 0;
        });
        const lines = Array.from({ length: 1500 }, (_, line) => `Line ${line}: the cooper counts staves of oak.`).join("\n\n");
        await choose(page, { name: "long.md", ...markdown(lines) });
        const shown = await eventually("a share of the file to be sent", async () => {
          const value = await page
            .locator(".transfer progress")
            .first()
            .getAttribute("value", { timeout: 1000 })
            .catch(() => null);
          return value !== null && Number(value) > 0 && Number(value) < 0.5 ? value : null;
        });
        expect(Number(shown)).toBeGreaterThan(0);
        await transfer(page, "long.md").getByText("Searchable").waitFor({ timeout: TEST_MAX_MS });
        expect(sent).toBe(1);
      }),
    TEST_MAX_MS,
  );

  inChromium(
    "a listing that is not there yet shows grey lines in its place",
    () =>
      stand().visit("demo-admin", "files", async (page) => {
        const network = await page.context().newCDPSession(page);
        await network.send("Network.enable");
        await network.send("Network.emulateNetworkConditions", { ...SLOW, latency: 1500 });
        await page.evaluate("location.hash = '#/units'");
        await page.getByRole("status", { name: "Loading the Units" }).waitFor();
        await page.getByRole("table").waitFor();
        expect(await page.getByRole("status", { name: "Loading the Units" }).count()).toBe(0);
      }),
    TEST_MAX_MS,
  );
});

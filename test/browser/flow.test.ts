/** What somebody does who tries it: add a recording, find what is said in it, hear it, ask about it, and look at what the answer rests on. */
import { describe, expect } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../acceptance/support.ts";
import { recordedBytes } from "../support/recorded.ts";
import { inChromium, type Somebody, TEST_MAX_MS, useStand } from "./support.ts";

const stand = useStand();
/** A minute of silence, a tone and noise around a sentence that is said at this second, and again later. */
const MEETING = { name: "standup.mp3", mimeType: "audio/mpeg", buffer: Buffer.from(await recordedBytes("speech/mixed.mp3")) };
const SAID_FROM_S = 4.5;
const SAID_TO_S = 11;

interface Played {
  at: number;
  paused: boolean;
}

/** Waits until a recording below `within` plays, and says from where. */
async function playing(page: Page, within: string): Promise<Played> {
  return eventually(
    "a recording that plays",
    async () => {
      const states = (await page.evaluate(
        `[...document.querySelectorAll('${within} audio')].map(({ currentTime, paused }) => ({ at: currentTime, paused }))`,
      )) as Played[];
      return states.find(({ paused, at }) => !paused && at > 0);
    },
    15_000,
  );
}

describe("from a file to a source", () => {
  inChromium(
    "upload, job, search, play, answer, citation",
    () =>
      stand().visit("demo-admin", "files", async (page) => {
        await page.getByLabel("Files", { exact: true }).setInputFiles(MEETING);
        await page.locator(".transfer").getByText("Searchable").waitFor({ timeout: TEST_MAX_MS });

        await page.keyboard.press("/");
        await page.getByRole("searchbox").fill("report to the office before noon");
        const hit = page.locator("article.hit").filter({ hasText: "standup.mp3" }).first();
        await hit.locator("mark").filter({ hasText: "report" }).first().waitFor();
        await hit.getByRole("button", { name: /^Play standup\.mp3 from 0:0[45]/ }).click();
        const { at } = await playing(page, "article.hit");
        expect(at).toBeGreaterThan(SAID_FROM_S);
        expect(at).toBeLessThan(SAID_TO_S);

        await page.getByRole("link", { name: "Answer", exact: true }).click();
        await page.getByRole("searchbox").fill("By when should the report be sent to the office?");
        await page.getByRole("button", { name: "Ask" }).click();
        await page.getByText(/% faithful to its sources/).waitFor({ timeout: TEST_MAX_MS });
        expect(await page.locator(".answer-main").innerText()).toContain("before noon on Friday");
        await page.getByRole("button", { name: "Source 1", exact: true }).first().click();
        const source = page.getByRole("dialog");
        await source.getByRole("heading", { name: "standup.mp3" }).waitFor();
        await source.locator("mark").filter({ hasText: "noon" }).first().waitFor();
        await source.getByRole("button", { name: /^Play standup\.mp3 from 0:0[45]/ }).click();
        expect((await playing(page, "dialog")).at).toBeGreaterThan(SAID_FROM_S);
      }),
    TEST_MAX_MS * 2,
  );
});

describe("two principals", () => {
  const QUESTION = "search?q=why+did+turbine+7+stop%3F";

  async function seen(who: Somebody): Promise<{ hits: string[]; hidden: string[] }> {
    const found: { hits: string[]; hidden: string[] } = { hits: [], hidden: [] };
    await stand().visit(who, QUESTION, async (page) => {
      await page.locator("article.hit").first().waitFor();
      found.hits = await page.locator("article.hit .hit-body").allInnerTexts();
      found.hidden = await page.locator(".search-results").getByText("you may not read").allInnerTexts();
    });
    return found;
  }

  inChromium(
    "see different results, and the reader is told how many are hidden",
    async () => {
      const [reader, admin] = [await seen("demo-reader"), await seen("demo-admin")];
      expect(reader.hits.length).toBeGreaterThan(0);
      expect(reader.hits).not.toEqual(admin.hits);
      expect(reader.hidden.join()).toMatch(/[1-9]\d* more results? would be among these/);
      expect(admin.hidden).toEqual([]);
    },
    TEST_MAX_MS,
  );
});

/** How results and sources read: names, quotes, scripts from right to left, and the marked words of a page. */
import { describe, expect } from "bun:test";
import type { Page } from "playwright-core";
import { ADMIN, eventually } from "../acceptance/support.ts";
import { makePdf, setLines } from "../unit/media/make-pdf.ts";
import { inChromium, TEST_MAX_MS, useStand } from "./support.ts";

const stand = useStand();
/** Sends a file and waits until it is searchable. */
async function upload(name: string, body: string | Uint8Array): Promise<void> {
  const headers = { authorization: `Bearer ${ADMIN}`, "x-svc-scope": "harbour", "content-type": "application/octet-stream" };
  const response = await fetch(`${stand().url}/v1/files?name=${name}&wait=true`, { method: "POST", headers, body });
  expect(response.status).toBe(200);
}

const EVERYWHERE = { "x-svc-scope": "*" };

describe("names", () => {
  inChromium("of documents and of what others are like are those of their files", async () => {
    // The first has more hits than are shown, so that the name of the second comes with none of them.
    const parts = Array.from({ length: 14 }, (_, at) => `## Cormorant ${at}\n\nThe cormorant cormorant number ${at} dries its wings.`);
    await upload("many-birds.md", parts.join("\n\n"));
    await upload("one-bird.md", `# Weather\n\n${"Rain and wind all day on the quay. ".repeat(20)}A cormorant passed.`);
    await stand().visit("demo-admin", "search?q=cormorant", async (page) => {
      const documents = page.getByRole("group", { name: "Document" });
      await documents.getByText("one-bird.md").waitFor();
      await documents.getByText("many-birds.md").waitFor();
      expect(await documents.innerText()).not.toMatch(/\bf_[a-z0-9]/);
      await page.locator("article.hit").first().getByRole("link", { name: "Similar" }).click();
      await page.locator(".likeness").getByText("many-birds.md").waitFor();
    });
  });

  inChromium("stand once in the list of Units: none shows the id of its file", () =>
    stand().visit("demo-admin", "units", async (page) => {
      await page.getByRole("table").waitFor();
      expect(await page.getByRole("table").innerText()).not.toContain("strata://files/");
    }),
  );
});

describe("words in quotes", () => {
  const note = (page: Page) => page.getByText("these are near in meaning");

  inChromium("that nothing has are told apart from those that something has", () =>
    stand().visit("demo-reader", `search?q=${encodeURIComponent('"turbine gave up the ghost"')}`, async (page) => {
      await page.locator("article.hit").first().waitFor();
      await page.getByText('Nothing here has "turbine gave up the ghost" as it stands').waitFor();
      await page.getByRole("searchbox").fill('"turbine 7"');
      await note(page).waitFor({ state: "detached" });
      await page.locator("article.hit mark").filter({ hasText: "turbine" }).first().waitFor();
      await page.getByRole("searchbox").fill("");
      await page.getByText("Words in quotes are looked for as they stand").waitFor();
    }),
  );
});

describe("text from right to left", () => {
  const TEXT = "הסירה עזבה את הנמל עם שחר, לפני הגשם.";

  inChromium("reads from the right in results and sources", async () => {
    const units = [{ modality: "text", text: TEXT, doc_id: "יומן הנמל" }];
    const { status } = await stand().api("POST", "/v1/ingest", { token: ADMIN, headers: { "x-svc-scope": "harbour" }, body: { units } });
    expect(status).toBe(200);
    const direction = (page: Page, selector: string) => page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`);
    await stand().visit("demo-admin", `search?q=${encodeURIComponent("הנמל")}`, async (page) => {
      await page.locator(".snippet").filter({ hasText: "הסירה" }).waitFor();
      expect(await direction(page, ".snippet")).toBe("rtl");
      expect(await direction(page, ".hit-title span")).toBe("rtl");
      await page.locator("[data-hit]").first().click();
      await page.locator("dialog .prose").waitFor();
      expect(await direction(page, "dialog .prose")).toBe("rtl");
      expect(await direction(page, "dialog h2")).toBe("rtl");
    });
  });
});

describe("a passage of a PDF", () => {
  inChromium(
    "shows its marked words, also when they stand below the picture of the page",
    async () => {
      const lines = ["Care of the winch", "", "Grease the capstan pawl once a month, and after every storm."];
      await upload("winch.pdf", makePdf([{ content: setLines(lines) }], { title: "Winch" }));
      const { body } = await stand().api("POST", "/v1/search", { token: ADMIN, body: { q: "capstan pawl", planes: ["text"] }, headers: EVERYWHERE });
      const hit = body.hits.find(({ mime }: { mime?: string }) => mime === "application/pdf");
      const place = `search?q=capstan+pawl&open=${hit.unit_id}`;
      await stand().visit(
        "demo-admin",
        place,
        async (page) => {
          await page.locator("dialog .picture:not(.loading) img").waitFor();
          const mark = page.locator("dialog mark").first();
          await mark.waitFor();
          await eventually("marked words in the window", async () => {
            const box = await mark.boundingBox();
            return (box !== null && box.y >= 0 && box.y + box.height <= 500) || undefined;
          });
        },
        { viewport: { width: 1200, height: 500 } },
      );
    },
    TEST_MAX_MS,
  );
});

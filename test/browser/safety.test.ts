/** Content and names that are written at whoever looks at them. */
import { describe, expect } from "bun:test";
import type { Page } from "playwright-core";
import { inChromium, TEST_MAX_MS, useStand } from "./support.ts";

const stand = useStand();

/** Each would set this when it ran. */
const RAN = "document.documentElement.dataset.ran = 'yes'";
const SCRIPT = `<script>${RAN}</script><img src=x onerror="${RAN}">`;
const NAMES = [
  `<img src=x onerror="${RAN}">.md`,
  `"><script>${RAN}</script>.md`,
  "javascript:document.title='ran'.md",
  "{{constructor.constructor('return 1')()}}.md",
  "\u202Egnp.exe\u202C.md",
  `${"long-".repeat(60)}name.md`,
];

async function upload(name: string, mime: string, body: string): Promise<void> {
  const path = `/v1/files?name=${encodeURIComponent(name)}&wait=true`;
  const response = await fetch(stand().url + path, {
    method: "POST",
    headers: { authorization: "Bearer strata_demo_admin", "content-type": mime, "x-svc-scope": "harbour" },
    body,
  });
  expect(`${name}: ${response.status}`).toBe(`${name}: 200`);
}

async function expectNothingRan(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.dataset.ran ?? 'no'")).toBe("no");
  expect(await page.title()).toEndWith("Strata");
}

describe("hostile names", () => {
  inChromium(
    "are text wherever they are shown, and fit the page",
    async () => {
      for (const name of NAMES) await upload(name, "text/markdown", `# ${name}\n\nA note called ${name}.`);
      await stand().visit("demo-admin", "files", async (page) => {
        const shown = page.getByRole("table").locator(".break");
        await shown.first().waitFor();
        const texts = await shown.allInnerTexts();
        for (const name of [NAMES[0], NAMES[1], NAMES[3]]) expect(texts.some((text) => text.includes(name ?? "-"))).toBe(true);
        await expectNothingRan(page);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        for (const place of ["units", "search?q=note", "answer?q=note"]) {
          await page.goto(`${stand().url}/#/${place}`);
          await page.waitForTimeout(1000);
          await expectNothingRan(page);
        }
      });
    },
    TEST_MAX_MS,
  );
});

describe("hostile content", () => {
  inChromium(
    "HTML and SVG are shown as text",
    async () => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="${RAN}"><script>${RAN}</script><text>zander drawing</text></svg>`;
      await upload("page.html", "text/html", `<h1>Tide tables</h1><p>The zander run begins at dusk.</p>${SCRIPT}${svg}`);
      await upload("drawing.md", "text/markdown", `# Zander drawing\n\nIt shows a zander.\n\n${svg}\n\n${SCRIPT}`);
      await stand().visit("demo-admin", "units", async (page) => {
        const { body } = await stand().api("POST", "/v1/search", { body: { q: "zander", top_k: 5 }, headers: { "x-svc-scope": "*" } });
        expect(body.hits.length).toBeGreaterThan(0);
        for (const { unit_id } of body.hits) {
          await page.goto(`${stand().url}/#/units/${unit_id}`);
          await page.getByRole("dialog").waitFor();
          await page.waitForTimeout(500);
          await expectNothingRan(page);
        }
      });
    },
    TEST_MAX_MS,
  );

  inChromium("a file's own bytes are a download that no browser runs", async () => {
    const { body } = await stand().api("GET", "/v1/files?limit=100", { headers: { "x-svc-scope": "*" } });
    const { file_id } = body.files.find(({ name }: { name: string }) => name === "page.html");
    const response = await fetch(`${stand().url}/v1/files/${file_id}/content?scope=*`, { headers: { authorization: "Bearer strata_demo_admin" } });
    expect(response.headers.get("content-disposition")).toStartWith("attachment");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

describe("the policy of the page", () => {
  inChromium("lets nothing inline run, no other host, no frame around it", async () => {
    const response = await fetch(stand().url);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-|https?:|\*/);
    const html = await response.text();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/i);
  });
});

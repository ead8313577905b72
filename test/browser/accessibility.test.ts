/** WCAG 2.2 AA as far as axe can tell, widths from a phone's on, and the keyboard alone. */
import { describe, expect } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { inChromium, SCREENS, TEST_MAX_MS, useStand } from "./support.ts";

const stand = useStand();
const AXE = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");
const RULES = { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
const PHONE = { width: 390, height: 844 };

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe finds wrong, with the elements. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate(`axe.run(${JSON.stringify(RULES)}).then(({ violations }) => violations)`)) as Violation[];
  return found.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`));
}

/** Waits until nothing is being loaded and nothing moves. */
async function settled(page: Page): Promise<void> {
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
  await page.evaluate(
    "Promise.all(document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity).map(({ finished }) => finished))",
  );
}

/** Shows a screen with something on it where it needs to be asked first. */
async function show(page: Page, screen: string): Promise<void> {
  const asked = screen === "search" || screen === "answer" ? `${screen}?q=why+did+turbine+7+stop` : screen;
  await page.evaluate(`location.hash = '#/${asked}'`);
  await page.locator("#main").getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForTimeout(screen === "answer" ? 3000 : 800);
  await settled(page);
}

for (const colorScheme of ["light", "dark"] as const) {
  describe(colorScheme, () => {
    inChromium("signing in", () =>
      stand().visit(
        null,
        "search",
        async (page) => {
          await page.getByRole("button", { name: "demo-reader" }).waitFor();
          await settled(page);
          expect(await violations(page)).toEqual([]);
        },
        { colorScheme },
      ),
    );

    for (const viewport of [{ width: 1440, height: 900 }, PHONE]) {
      inChromium(
        `every screen, ${viewport.width} pixels wide`,
        () =>
          stand().visit(
            "demo-admin",
            "search",
            async (page) => {
              for (const screen of SCREENS) {
                await show(page, screen);
                expect({ screen, violations: await violations(page) }).toEqual({ screen, violations: [] });
                expect({ screen, fits: await page.evaluate("document.documentElement.scrollWidth <= innerWidth") }).toEqual({ screen, fits: true });
              }
            },
            { colorScheme, viewport },
          ),
        TEST_MAX_MS,
      );
    }

    inChromium(
      "what opens over a screen",
      () =>
        stand().visit(
          "demo-admin",
          "tokens",
          async (page) => {
            const open: [string, () => Promise<void>][] = [
              ["tokens", () => page.getByRole("button", { name: "New token" }).click()],
              ["tokens", () => page.getByRole("button", { name: "Revoke demo_reader" }).click()],
              ["units", () => page.getByRole("table").getByRole("link").first().click()],
              ["audit", () => page.getByRole("button", { name: /^Row/ }).first().click()],
              [
                "scopes",
                () =>
                  page
                    .getByRole("button", { name: /^Remove/ })
                    .first()
                    .click(),
              ],
            ];
            for (const [screen, click] of open) {
              await show(page, screen);
              await click();
              await page.getByRole("dialog").waitFor();
              await page.waitForTimeout(500);
              expect({ screen, violations: await violations(page) }).toEqual({ screen, violations: [] });
              await page.keyboard.press("Escape");
              await page.getByRole("dialog").waitFor({ state: "detached" });
            }
          },
          { colorScheme },
        ),
      TEST_MAX_MS,
    );
  });
}

describe("the keyboard alone", () => {
  /** What has the focus, by its text or label; empty for the page itself. */
  const focused = (page: Page) =>
    page.evaluate(
      "(({ tagName, innerText, ariaLabel }) => (tagName === 'BODY' ? '' : innerText || ariaLabel || ''))(document.activeElement)",
    ) as Promise<string>;

  /** Presses Tab until something of this name has the focus. */
  async function tabTo(page: Page, name: RegExp): Promise<void> {
    for (let pressed = 0; pressed < 60; pressed += 1) {
      if (name.test(await focused(page))) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`60 times Tab did not lead to ${name}`);
  }

  inChromium("signs in, goes to a screen, opens a row and closes it, back where it was", () =>
    stand().visit(null, "search", async (page) => {
      await page.getByRole("button", { name: "demo-admin" }).waitFor();
      await tabTo(page, /demo-admin/);
      await page.keyboard.press("Enter");
      await page.locator("#main").waitFor();
      await tabTo(page, /^Audit$/);
      await page.keyboard.press("Enter");
      await page.getByRole("table").waitFor();
      await tabTo(page, /^\d+$/);
      const row = await focused(page);
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await focused(page)).toBe(row);
    }),
  );

  inChromium("the first Tab offers to skip to the content", () =>
    stand().visit("demo-reader", "status", async (page) => {
      await page.reload();
      await page.locator("#main").waitFor();
      await page.keyboard.press("Tab");
      expect(await focused(page)).toMatch(/Skip/);
      await page.keyboard.press("Enter");
      expect(await page.evaluate("document.activeElement.id")).toBe("main");
    }),
  );

  inChromium("the slash goes to the search from everywhere", () =>
    stand().visit("demo-reader", "status", async (page) => {
      await page.keyboard.press("/");
      await page.waitForURL(/#\/search/);
    }),
  );
});

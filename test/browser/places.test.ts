/** What the address holds: where the back button leads, and what somebody sees who is sent it. */
import { describe, expect } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../acceptance/support.ts";
import { inChromium, TEST_MAX_MS, useStand } from "./support.ts";

const stand = useStand();
const hash = (page: Page) => new URL(page.url()).hash;
const found = (page: Page, q: string) => page.waitForURL((url) => new URLSearchParams(url.hash.split("?")[1]).get("q") === q);
const PHONE = { viewport: { width: 390, height: 844 } };

/** Types as people do, so that the address follows in between. */
async function search(page: Page, q: string): Promise<void> {
  await page.getByRole("searchbox").fill("");
  await page.getByRole("searchbox").pressSequentially(q, { delay: 30 });
  await page.keyboard.press("Enter");
  await found(page, q);
  await page.locator("article.hit").first().waitFor();
}

describe("the back button", () => {
  inChromium(
    "returns to each search, to what it was before a filter, and to the start",
    () =>
      stand().visit("demo-reader", "search", async (page) => {
        await search(page, "turbine");
        await search(page, "oil slick");
        await page.getByRole("group", { name: "Where" }).getByRole("checkbox").first().check();
        await page.waitForURL(/planes=/);
        await page.goBack();
        await page.waitForURL((url) => !url.hash.includes("planes="));
        await page.goBack();
        await found(page, "turbine");
        await page.locator("article.hit").first().waitFor();
        expect(await page.getByRole("searchbox").inputValue()).toBe("turbine");
        await page.goBack();
        await page.getByText("What are you looking for?").waitFor();
      }),
    TEST_MAX_MS,
  );

  for (const [where, options] of [
    ["on a wide window", {}],
    ["on a phone", PHONE],
  ] as const) {
    inChromium(`closes an open source ${where}; what closes it leaves no step behind`, () =>
      stand().visit(
        "demo-reader",
        "search",
        async (page) => {
          await search(page, "turbine");
          await page.locator("[data-hit]").first().click();
          await page.getByRole("dialog").locator("mark").first().waitFor();
          await page.goBack();
          await page.getByRole("dialog").waitFor({ state: "detached" });
          await found(page, "turbine");
          await page.locator("[data-hit]").first().click();
          await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
          await page.waitForURL((url) => !url.hash.includes("open="));
          await page.goBack();
          await page.getByText("What are you looking for?").waitFor();
        },
        options,
      ),
    );
  }
});

describe("a link", () => {
  inChromium("carries the scope, the search and the open source", () =>
    stand().visit("demo-admin", "search", async (page) => {
      await search(page, "pens");
      await page.getByLabel("Scope", { exact: true }).selectOption("harbour/farm");
      await page.waitForURL(/scope=harbour%2Ffarm/);
      await page.locator(".hit-foot").getByText("harbour/farm").first().waitFor();
      await eventually("hits of the scope alone", async () => {
        const scopes = await page.locator(".hit-foot > span:first-child").allInnerTexts();
        return (scopes.length > 0 && scopes.every((scope) => scope.startsWith("harbour/farm"))) || undefined;
      });
      await page.locator("[data-hit]").first().click();
      await page.waitForURL(/open=u_/);
      const title = await page.getByRole("dialog").getByRole("heading").first().innerText();
      const other = await page.context().newPage();
      await other.goto(page.url());
      await other.getByRole("dialog").getByRole("heading", { name: title }).waitFor();
      await other.getByRole("dialog").getByRole("button", { name: "Close" }).click();
      await other.waitForURL((url) => !url.hash.includes("open="));
      await found(other, "pens");
      expect(await other.getByLabel("Scope", { exact: true }).inputValue()).toBe("harbour/farm");
      await other.getByRole("link", { name: "Units", exact: true }).click();
      await other.getByRole("heading", { name: "Units" }).waitFor();
      expect(hash(other)).toBe("#/units?scope=harbour%2Ffarm");
    }),
  );

  inChromium("to another scope chooses it; to one that is not for the reader says so", () =>
    stand().visit("demo-reader", "units", async (page) => {
      await page.evaluate("location.hash = '#/units?scope=*'");
      const scope = page.getByLabel("Scope", { exact: true });
      await eventually("the scope of the link", async () => (await scope.inputValue()) === "*" || undefined);
      await page.evaluate("location.hash = '#/units?scope=finance'");
      await page.getByText("There is no scope finance").waitFor();
      await page.waitForURL(/scope=\*/);
    }),
  );

  inChromium("to a row of the audit chain opens it, however old; of a row that is none it says so", () =>
    stand().visit("demo-admin", "audit/1", async (page) => {
      for (let asked = 0; asked < 60; asked += 1) await stand().api("GET", "/v1/units?limit=1");
      await page.reload();
      await page.getByRole("dialog", { name: "Row 1" }).getByText("0".repeat(64)).waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
      await page.waitForURL(/#\/audit$/);
      await page.getByRole("button", { name: /^Row/ }).nth(3).click();
      await page.waitForURL(/#\/audit\/\d+$/);
      await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.evaluate("location.hash = '#/audit/999999'");
      await page.getByRole("dialog", { name: "Row 999999" }).getByText("There is no such row.").waitFor();
    }),
  );
});

describe("a question", () => {
  inChromium(
    "that is asked while an answer is made ends the work on that and is answered",
    () =>
      stand().visit("demo-reader", "answer", async (page) => {
        const ended: string[] = [];
        page.on("requestfailed", (request) => ended.push(request.postDataJSON().q));
        await page.route("**/v1/answer", (route) => (route.request().postDataJSON().q === "Who waits for ever?" ? undefined : route.continue()));
        await page.getByRole("searchbox").fill("Who waits for ever?");
        await page.getByRole("button", { name: "Ask" }).click();
        await page.getByText("Searching …").waitFor();
        await page.getByRole("searchbox").fill("Why did turbine 7 stop?");
        await page.getByRole("button", { name: "Ask" }).click();
        await page.getByText(/faithful to its sources|Nothing that you may read/).waitFor({ timeout: TEST_MAX_MS });
        expect(ended[0]).toBe("Who waits for ever?");
        expect(hash(page)).toContain("turbine");
      }),
    TEST_MAX_MS,
  );
});

/** Who is signed in, for how long, and what stays of a page when the session or the service goes. */
import { describe, expect } from "bun:test";
import type { Page } from "playwright-core";
import { inChromium, signIn, TEST_MAX_MS, useStand } from "./support.ts";

const stand = useStand();
const hash = (url: string) => new URL(url).hash;

describe("signing in", () => {
  inChromium("one click for each principal of the demo, and each sees what it may", async () => {
    const counts: number[] = [];
    for (const who of ["demo-reader", "demo-admin"] as const) {
      await stand().visit(who, "status", async (page) => {
        const stored = page.locator(".card", { has: page.getByRole("heading", { name: "Stored" }) });
        counts.push(Number(await stored.getByRole("link").first().innerText()));
        const tokens = await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Tokens" }).count();
        expect(tokens).toBe(who === "demo-admin" ? 1 : 0);
      });
    }
    const [reader = 0, admin = 0] = counts;
    expect(reader).toBeGreaterThan(0);
    expect(admin).toBeGreaterThan(reader);
  });

  inChromium("a token signs in, a wrong one says so", () =>
    stand().visit(null, "status", async (page) => {
      await page.getByLabel("API token").fill("strata_nobody");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").getByText("not valid").waitFor();
      await page.getByLabel("API token").fill("strata_demo_reader");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Status" }).waitFor();
    }),
  );

  inChromium("signing out ends the session for the service too", () =>
    stand().visit("demo-reader", "status", async (page) => {
      await page.getByRole("button", { name: /your account/ }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByLabel("API token").waitFor();
      expect(await page.evaluate("fetch('/v1/context').then(({ status }) => status)")).toBe(401);
    }),
  );
});

describe("two tabs", () => {
  const account = (page: Page) => page.getByRole("button", { name: /your account/ });
  const signOut = async (page: Page) => {
    await account(page).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API token").waitFor();
  };

  inChromium("show the same person: signing out or in as another is seen in both", () =>
    stand().visit("demo-admin", "units", async (page) => {
      const other = await page.context().newPage();
      await other.goto(`${stand().url}/#/status`);
      await account(other).filter({ hasText: "demo-admin" }).waitFor();
      await signOut(other);
      await page.getByLabel("API token").waitFor();
      expect(await page.getByRole("table").count()).toBe(0);
      await signIn(other, "demo-reader");
      await account(page).filter({ hasText: "demo-reader" }).waitFor();
      await page.getByRole("table").waitFor();
    }),
  );

  inChromium("a page that is looked at again asks who is signed in", () =>
    stand().visit("demo-admin", "status", async (page) => {
      await becomes(page, "strata_demo_reader");
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await account(page).filter({ hasText: "demo-reader" }).waitFor();
    }),
  );

  inChromium("nothing is changed or added under another name than the page shows", () =>
    stand().visit("demo-reader", "status", async (page) => {
      await becomes(page, "strata_demo_admin");
      await page.evaluate("location.hash = '#/tokens'");
      await page.reload();
      await page.getByRole("button", { name: "New token" }).click();
      await page.getByLabel("Name of the token").fill("of-nobody");
      await page.getByLabel("Principal", { exact: true }).fill("nobody");
      await becomes(page, "strata_demo_reader");
      const sent: string[] = [];
      page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
      await page.getByRole("button", { name: "Make the token" }).click();
      await account(page).filter({ hasText: "demo-reader" }).waitFor();
      expect(sent).toEqual([]);

      await becomes(page, "strata_demo_admin");
      await page.evaluate("location.hash = '#/files'");
      await page.reload();
      await page.getByLabel("Files", { exact: true }).waitFor({ state: "attached" });
      await becomes(page, "strata_demo_reader");
      sent.length = 0;
      const file = { name: "whose.md", mimeType: "text/markdown", buffer: Buffer.from("# Whose\n\nOf the other.") };
      await page.getByLabel("Files", { exact: true }).setInputFiles(file);
      await account(page).filter({ hasText: "demo-reader" }).waitFor();
      expect(sent).toEqual([]);
    }),
  );
});

/** Gives the browser another's session behind the page's back. */
async function becomes(page: Page, token: string): Promise<void> {
  const open = `fetch('/v1/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"token":"${token}"}' })`;
  expect(await page.evaluate(`${open}.then(({ status }) => status)`)).toBe(200);
}

describe("a session that ends", () => {
  inChromium("leads to signing in, and from there back to the same place", () =>
    stand().visit("demo-reader", "units?from=25", async (page) => {
      await page.getByRole("table").waitFor();
      // Another page ends it: this one learns of it with its next request.
      await page.evaluate("fetch('/v1/session', { method: 'DELETE' })");
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByText("Your session has ended").waitFor();
      await signIn(page, "demo-reader");
      await page.getByRole("table").waitFor();
      expect(hash(page.url())).toBe("#/units?from=50");
    }),
  );

  inChromium("somebody else who signs in sees nothing of the files that were added before", () =>
    stand().visit("demo-admin", "files", async (page) => {
      const file = { name: "private-roster.md", mimeType: "text/markdown", buffer: Buffer.from("# Private\n\nNobody else may know of it.") };
      await page.getByLabel("Files", { exact: true }).setInputFiles(file);
      await page.locator(".transfer").getByText("Searchable").waitFor();
      await page.getByRole("button", { name: /your account/ }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await signIn(page, "demo-reader");
      await page.getByRole("heading", { name: "Stored files" }).waitFor();
      expect(await page.getByText("private-roster.md").count()).toBe(0);
    }),
  );
});

describe("a page that is left open while the service restarts", () => {
  inChromium(
    "says that it cannot be reached, and goes on when it is there again",
    () =>
      stand().visit("demo-reader", "units", async (page) => {
        await page.getByRole("table").waitFor();
        await stand().restart(async () => {
          await page.getByRole("button", { name: "Look again" }).click();
          await page.getByRole("alert").getByText("cannot be reached").waitFor();
        });
        await page.getByRole("button", { name: "Try again" }).click();
        await page.getByRole("alert").waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Next" }).click();
        await page.getByText("26–50").waitFor();
      }),
    TEST_MAX_MS,
  );
});

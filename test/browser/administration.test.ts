/** Scopes, the audit chain, the state of the service and tokens, as an admin works with them. */
import { describe, expect } from "bun:test";
import type { Page } from "playwright-core";
import { inChromium, TEST_MAX_MS, useStand } from "./support.ts";

const stand = useStand();

describe("tokens", () => {
  inChromium("a new one is shown once, works, and is refused when it is revoked", () =>
    stand().visit(
      "demo-admin",
      "tokens",
      async (page) => {
        await page.getByRole("button", { name: "New token" }).click();
        await page.getByLabel("Name of the token").fill("import-night");
        await page.getByLabel("Principal", { exact: true }).fill("importer");
        await page.getByLabel("Scopes").fill("harbour/farm, town");
        await page.getByRole("button", { name: "Make the token" }).click();
        const secret = await page.getByLabel("The token", { exact: true }).inputValue();
        await page.getByRole("button", { name: "Copy" }).click();
        await page.getByRole("button", { name: "Copied" }).waitFor();
        expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret);
        const context = await stand().api("GET", "/v1/context", { token: secret });
        expect([context.body.principal.principal_id, context.body.perms]).toEqual(["importer", ["read"]]);
        expect(context.body.allowed_scopes).toEqual(["harbour/farm", "harbour/farm/pens", "town"]);
        await page.getByRole("button", { name: "Done" }).click();
        expect(await page.content()).not.toContain(secret);
        await page.getByRole("button", { name: "Revoke import-night" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
        await page.getByText("import-night is revoked.").waitFor();
        expect((await stand().api("GET", "/v1/context", { token: secret })).status).toBe(401);
        await page.getByRole("button", { name: "Revoke import-night" }).waitFor({ state: "detached" });
      },
      { permissions: ["clipboard-read", "clipboard-write"] },
    ),
  );

  inChromium("its secret stays until its own button is used", () =>
    stand().visit("demo-admin", "tokens", async (page) => {
      await page.getByRole("button", { name: "New token" }).click();
      await page.getByLabel("Name of the token").fill("kept");
      await page.getByLabel("Principal", { exact: true }).fill("keeper");
      await page.getByRole("button", { name: "Make the token" }).click();
      const secret = page.getByLabel("The token", { exact: true });
      await secret.waitFor();
      for (let pressed = 0; pressed < 3; pressed += 1) await page.keyboard.press("Escape");
      await page.mouse.click(5, 5);
      await page.keyboard.press("Escape");
      await page.waitForTimeout(200);
      expect(await secret.isVisible()).toBe(true);
      expect(await page.getByRole("dialog").getByRole("button", { name: "Close" }).count()).toBe(0);
      await page.getByRole("button", { name: "Done" }).click();
      await secret.waitFor({ state: "detached" });
    }),
  );

  inChromium("for a principal that exists with other rights: the form says what to tick", () =>
    stand().visit("demo-admin", "tokens", async (page) => {
      await page.getByRole("button", { name: "New token" }).click();
      await page.getByLabel("Name of the token").fill("second-of-reader");
      await page.getByLabel("Principal", { exact: true }).fill("demo-reader");
      await page.getByRole("button", { name: "Make the token" }).click();
      const refused = page.getByRole("dialog").getByRole("alert");
      await refused.getByText("Tick “This principal exists”").waitFor();
      expect(await refused.innerText()).not.toContain("--update");
      await page.getByLabel("This principal exists").check();
      await page.getByRole("button", { name: "Make the token" }).click();
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByRole("button", { name: "Revoke second-of-reader" }).click();
      expect(await page.getByRole("dialog").getByText("your own session ends").count()).toBe(0);
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    }),
  );

  inChromium("one's own: revoking it says that one's session may end with it", () =>
    stand().visit("demo-admin", "tokens", async (page) => {
      await page
        .getByRole("row")
        .filter({ hasText: "demo-admin" })
        .getByRole("button", { name: /^Revoke/ })
        .first()
        .click();
      await page.getByRole("dialog").getByText("your own session ends").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    }),
  );

  inChromium("a request that is refused says why, and keeps what was typed", () =>
    stand().visit("demo-admin", "tokens", async (page) => {
      await page.getByRole("button", { name: "New token" }).click();
      await page.getByLabel("Name of the token").fill("two words");
      await page.getByLabel("Principal", { exact: true }).fill("importer-2");
      await page.getByRole("button", { name: "Make the token" }).click();
      await page.getByRole("dialog").getByRole("alert").getByText("/name").waitFor();
      expect(await page.getByLabel("Name of the token").inputValue()).toBe("two words");
    }),
  );
});

describe("another namespace", () => {
  inChromium("is offered to super-admins alone", async () => {
    const look = (token: string, work: (page: Page) => Promise<void>) =>
      stand().visit(null, "status", async (page) => {
        await page.getByLabel("API token").fill(token);
        await page.getByRole("button", { name: "Sign in" }).click();
        const probed = page.waitForResponse((response) => response.request().headers()["x-svc-namespace"] === "?");
        await page.getByRole("button", { name: /your account/ }).click();
        await probed;
        await work(page);
      });
    const field = (page: Page) => page.getByLabel("Look into another namespace");
    await look("strata_demo_admin", async (page) => {
      await page.waitForTimeout(200);
      expect(await field(page).count()).toBe(0);
    });
    await look("strata_super_admin", async (page) => {
      await field(page).fill("pro");
      await page.getByRole("button", { name: "Change", exact: true }).click();
      await page
        .getByRole("button", { name: /your account/ })
        .filter({ hasText: "pro" })
        .waitFor();
    });
  });
});

describe("scopes", () => {
  inChromium("the tree shows what may be used; one with something in it stays, an empty one goes", () =>
    stand().visit("demo-admin", "scopes", async (page) => {
      const headers = { "x-svc-scope": "town/mill" };
      const { body } = await stand().api("POST", "/v1/ingest", { headers, body: { units: [{ modality: "text", text: "The mill race froze." }] } });
      await page.reload();
      await page.getByRole("button", { name: "Remove town/mill" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Remove", exact: true }).click();
      await dialog.getByRole("alert").waitFor();
      await stand().api("DELETE", `/v1/units/${body.units[0].unit_id}`, { headers });
      await dialog.getByRole("button", { name: "Remove", exact: true }).click();
      await page.getByText("town/mill is removed.").waitFor();
      expect(await page.getByRole("button", { name: "Remove town/mill" }).count()).toBe(0);
      await page.getByText("agents only read").waitFor();
    }),
  );

  inChromium("a reader sees its own scopes and can remove none", () =>
    stand().visit("demo-reader", "scopes", async (page) => {
      await page.locator(".tree").first().waitFor();
      expect(await page.getByTitle("harbour/ops", { exact: true }).count()).toBe(1);
      expect(await page.getByText("finance").count()).toBe(0);
      expect(await page.getByRole("button", { name: /^Remove/ }).count()).toBe(0);
    }),
  );
});

describe("the audit chain", () => {
  inChromium(
    "rows follow one another without a gap, and the chain is verified",
    () =>
      stand().visit("demo-admin", "audit", async (page) => {
        const open = () => stand().api("GET", "/v1/units?limit=1");
        for (let asked = 0; asked < 120; asked += 1) await open();
        await page.getByRole("button", { name: "Newest rows" }).click();
        const numbers = page.getByRole("button", { name: /^Row/ });
        await page.getByRole("button", { name: "Older rows" }).click();
        await page.locator("tbody tr").nth(60).waitFor();
        const shown = (await numbers.allInnerTexts()).map(Number);
        expect(shown).toEqual(shown.map((_, at) => (shown[0] ?? 0) - at));
        await page.getByRole("button", { name: "Verify the chain" }).click();
        await page.getByText(/The chain is whole: \d+ rows/).waitFor();
      }),
    TEST_MAX_MS,
  );

  inChromium("a reader sees that others did something, and not what", () =>
    stand().visit("demo-reader", "audit", async (page) => {
      await page.getByText("not for you to see").first().waitFor();
      await page.getByRole("row").filter({ hasText: "not for you to see" }).first().getByRole("button").click();
      await page.getByRole("dialog").getByText("only admins and they themselves see").waitFor();
      expect(await page.getByRole("dialog").getByText("demo-admin").count()).toBe(0);
    }),
  );
});

describe("the status", () => {
  inChromium("names the planes, and the models with their licences", () =>
    stand().visit("demo-reader", "status", async (page) => {
      await page.getByText("Everything works.").waitFor();
      for (const plane of ["Text", "Pictures", "Sound", "Pages"]) await page.getByRole("heading", { name: plane, level: 3 }).waitFor();
      const row = page.getByRole("row").filter({ hasText: "silero-vad" });
      expect(await row.innerText()).toContain("MIT");
    }),
  );
});

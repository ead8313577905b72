/** `bun test/tools/screenshots.ts`: the pictures of the console in README, made anew with Chromium against `dist/strata` and the demo. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type Somebody, Stand } from "../browser/support.ts";

const IMAGES = join(import.meta.dir, "../../docs/images");
const QUESTION = encodeURIComponent("when does the tour of the turbine hall begin?");
const VIEWPORT = { width: 1200, height: 760 };

const stand = await Stand.open();

async function take(name: string, who: Somebody | null, place: string, ready: (page: Page) => Promise<void>): Promise<void> {
  await stand.visit(
    who,
    place,
    async (page) => {
      await ready(page);
      await page.screenshot({ path: join(IMAGES, `${name}.png`) });
    },
    { viewport: VIEWPORT, colorScheme: "light" },
  );
}

try {
  await take("sign-in", null, "search", (page) => page.getByRole("button", { name: "demo-reader" }).waitFor());
  await take("search", "demo-reader", "search?q=turbine%20hall%20tour", async (page) => {
    await page.getByText("results in").waitFor();
    // Pictures and the waveform.
    await page.waitForTimeout(3_000);
  });
  await take("answer", "demo-reader", `answer?q=${QUESTION}`, async (page) => {
    await page.getByText("faithful to its sources").waitFor();
    await page.getByRole("button", { name: /^Play/ }).first().click();
    await page
      .getByRole("button", { name: /^Pause/ })
      .first()
      .waitFor();
    // Into the sentence that is cited.
    await page.waitForTimeout(1_500);
  });
} finally {
  await stand.close();
}

import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { leastOfFive, PageThread } from "./support/page-thread.ts"
import { useConsole, WAIT } from "./support/use-console.ts"

const CPU_RATIO = 3
const TYPED = "the quick brown fox jumps over it"

const browser = useConsole()

/** Resolves to the CPU seconds that the page takes for typing into the focused input. */
async function typing(page: Page): Promise<number> {
  const thread = await PageThread.of(page)
  await page.keyboard.type("x")
  return leastOfFive(() => thread.during(() => page.keyboard.type(TYPED)))
}

/** The same keys in a page with nothing but an input. */
async function typingIntoBareInput(): Promise<number> {
  const page = await browser.openEmpty()
  await page.setContent("<input aria-label='Bare'>")
  await page.getByRole("textbox").focus()
  return typing(page)
}

async function recordNamed(collection: string, where: object): Promise<string> {
  const { collections } = await browser.clientOf("admin")
  return (await collections[collection].findOne({ where })).id
}

describe("a key costs at most three times of a bare input", () => {
  test.each([
    ["in a form of a hundred fields", "questionnaires", { answer001: "The first questionnaire" }, "Answer 5"],
    ["beside a thousand links", "shelves", { name: "Many books" }, "Name"],
    ["beside a thousand items", "shelves", { name: "Many places" }, "Name"],
  ])("%s", async (_place, collection, where, label) => {
    const page = await browser.open(`/collections/${collection}/${await recordNamed(collection, where)}`, {
      as: "admin",
    })
    await page.getByRole("textbox", { name: label, exact: true }).click(WAIT)

    const [inForm, bare] = [await typing(page), await typingIntoBareInput()]

    expect(inForm / bare, `${inForm} s against ${bare} s`).toBeLessThanOrEqual(CPU_RATIO)
  })
})

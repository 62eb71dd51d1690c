import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { leastOfFive, PageThread } from "./support/page-thread.ts"
import { useConsole, WAIT } from "./support/use-console.ts"

const CPU_RATIO = 3
/** A form of a hundred fields, beside a form of one field: what a key costs must not depend on the size of the form. */
const SIZE_RATIO = 4
const TYPED = "the quick brown fox jumps over the lazy dog and sleeps"

const browser = useConsole()

interface FocusedInput {
  readonly page: Page
  readonly thread: PageThread
}

async function focused(page: Page, label: string): Promise<FocusedInput> {
  await page.getByRole("textbox", { name: label, exact: true }).click(WAIT)
  const thread = await PageThread.of(page)
  await page.keyboard.type("warm up")
  await thread.painted()
  return { page, thread }
}

/** Resolves to the CPU seconds that the page takes for typing into the focused input, and for painting it. */
async function typing({ page, thread }: FocusedInput): Promise<number> {
  await page.bringToFront()
  return thread.during(async () => {
    await page.keyboard.type(TYPED)
    await thread.painted()
  })
}

/** Opens the same document at rest: elements and styles of the page, and none of its scripts. */
async function openAtRest(page: Page): Promise<Page> {
  const html = await page.evaluate<string>(`
    "<!doctype html>" + document.documentElement.outerHTML
      .replace(/<script[^]*?<\\/script>|<link rel="modulepreload"[^>]*>/g, "")
  `)
  const copy = await browser.openEmpty()
  const address = browser.urlOf("/at-rest")
  await copy.route(address, (route) => route.fulfill({ contentType: "text/html", body: html }))
  await copy.goto(address)
  return copy
}

async function openRecord(collection: string, where: object): Promise<Page> {
  const { collections } = await browser.clientOf("admin")
  const { id } = await collections[collection].findOne({ where })
  return browser.open(`/collections/${collection}/${id}`, { as: "admin" })
}

const QUESTIONNAIRE = ["questionnaires", { answer001: "The first questionnaire" }, "Answer 5"] as const

describe("a key costs at most three times of a bare input in the same document", () => {
  test.each([
    ["in a form of a hundred fields", ...QUESTIONNAIRE],
    ["beside a thousand links", "shelves", { name: "Many books" }, "Name"],
    ["beside a thousand items", "shelves", { name: "Many places" }, "Name"],
  ] as const)("%s", async (_place, collection, where, label) => {
    const page = await openRecord(collection, where)
    const form = await focused(page, label)
    const bare = await focused(await openAtRest(page), label)

    const { inForm, inBare } = await leastOfFive({ inForm: () => typing(form), inBare: () => typing(bare) })

    expect(inForm / inBare, `${inForm} s against ${inBare} s`).toBeLessThanOrEqual(CPU_RATIO)
  })
})

test("a key costs about as much in a form of a hundred fields as in one of a few", async () => {
  const [collection, where, label] = QUESTIONNAIRE
  const large = await focused(await openRecord(collection, where), label)
  const small = await focused(await browser.open("/collections/books/new", { as: "admin" }), "Title")

  const { inLarge, inSmall } = await leastOfFive({ inLarge: () => typing(large), inSmall: () => typing(small) })

  expect(inLarge / inSmall, `${inLarge} s against ${inSmall} s`).toBeLessThanOrEqual(SIZE_RATIO)
})

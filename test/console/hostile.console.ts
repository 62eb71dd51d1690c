import { collection } from "kit"
import { type TestApp, testApp } from "kit/testing"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { HOSTILE_STRINGS } from "./support/hostile-strings.ts"
import { SIZES, useConsole, WAIT } from "./support/use-console.ts"

const FIELDS = 10
const SCREENS = 14
const SCREEN_PIXELS = 400

/** The texts that an author can give as a label: those that are not only white space. */
const LABELS = HOSTILE_STRINGS.filter((text) => text.trim() !== "" && !/^[\s\u200B\uFEFF]*$/.test(text))

const browser = useConsole()

let app: TestApp
let person: { origin: string; cookie: string }
let gathering: string

/** A collection whose every text for people is hostile. */
function labelled(index: number) {
  const texts = (offset: number) => LABELS[(index * FIELDS + offset) % LABELS.length] ?? ""
  return collection(`things${index}`)
    .fields(({ f }) =>
      Object.fromEntries(
        Array.from({ length: FIELDS }, (_, field) => [
          `field${field}`,
          f
            .text(200)
            .label(texts(field))
            .description(texts(field + 1))
            .placeholder(texts(field + 2)),
        ]),
      ),
    )
    .title("field0")
    .label(texts(0), texts(1))
    .description(texts(2))
    .group(texts(3))
    .list({ columns: ["field0", "field1", "field2"], views: [{ label: texts(4), where: { field1: null } }] })
    .access({ read: true, create: true, update: true })
}

const labels = Array.from({ length: Math.ceil(LABELS.length / FIELDS) }, (_, index) => labelled(index))
const written = collection("notes")
  .fields(({ f }) => ({
    title: f.text().label("Title"),
    text: f.textarea().label("Text"),
    kind: f.select(LABELS.map((label, index) => ({ value: `kind${index}`, label }))).label("Kind"),
    tags: f.array(f.text()).label("Tags"),
  }))
  .title("title")
  .access({ read: true, create: true, update: true })
const gatherings = collection("gatherings")
  .fields(({ f }) => ({
    name: f.text().label("Name"),
    notes: f.relation("notes").manyToMany().label("Notes"),
    another: f.relation("notes").label("Another note"),
  }))
  .title("name")
  .access({ read: true, create: true, update: true })
const media = collection("media")
  .fields(({ f }) => ({ alt: f.text().label("Alternative text") }))
  .upload({})
  .access({ read: true, create: true, update: true })

beforeAll(async () => {
  app = await testApp({ collections: [written, gatherings, media, ...labels] })
  const ada = await app.signIn({ role: "admin", name: HOSTILE_STRINGS[2] ?? "" })
  // The types of an app that a test declares know none of its collections.
  const system: Record<string, any> = app.system.collections
  const own: Record<string, any> = app.as(ada).collections
  person = { origin: new URL(app.url).origin, cookie: ada.cookie }
  const created: string[] = []
  for (const [index, text] of HOSTILE_STRINGS.entries()) {
    const data = { title: text, text, kind: `kind${index % LABELS.length}`, tags: [text] }
    created.push((await system["notes"].create(data)).id)
    const file = new File([text], text.replaceAll("/", "-"), { type: "text/plain" })
    await own["media"].upload(file, { data: { alt: text } })
  }
  for (const [index] of labels.entries()) await system[`things${index}`].create({ field0: "One" })
  gathering = (await system["gatherings"].create({ name: "All of them", notes: created })).id
})
afterAll(() => app.stop())

/** Nothing has run, the page is where it was, and it does not scroll sideways. */
async function expectUnharmed(page: Page): Promise<void> {
  expect(await page.evaluate("window.attacked")).toBeUndefined()
  expect(new URL(page.url()).origin).toBe(person.origin)
  expect(
    await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
  ).toBeLessThanOrEqual(0)
}

async function expectUnharmedInBothSizes(page: Page): Promise<void> {
  for (const size of [SIZES.phone, SIZES.desk]) {
    await page.setViewportSize(size)
    await expectUnharmed(page)
  }
}

test.each(Object.entries(SIZES))("hostile titles stay texts in a list, on a %s", async (_name, viewport) => {
  const page = await browser.open("/collections/notes", { app: person, viewport })
  await page.getByRole("row").nth(1).waitFor(WAIT)

  const shown = await textsWhileScrolling(page)

  const missing = HOSTILE_STRINGS.filter(
    (text) => text.trim() !== "" && !shown.some((row) => row.includes(text.trim())),
  )
  expect(missing).toEqual([])
  await expectUnharmed(page)
})

test.each(Object.entries(SIZES))("hostile file names stay texts in a list, on a %s", async (_name, viewport) => {
  const page = await browser.open("/collections/media", { app: person, viewport })
  await page.getByRole("row").nth(1).waitFor(WAIT)

  await textsWhileScrolling(page)

  await expectUnharmed(page)
})

test("hostile texts stay values, titles and chosen options in forms, on a desk and a phone", async () => {
  const page = await browser.open("/collections/notes", { app: person })
  await page.getByRole("row").nth(1).getByRole("gridcell").nth(1).click(WAIT)
  const box = page.getByRole("textbox", { name: "Text", exact: true })
  const seen = await valuesOfNeighbours(page, () => box.inputValue())

  expect(HOSTILE_STRINGS.filter((text) => !seen.has(text))).toEqual([])
})

test("hostile file names stay texts in forms, on a desk and a phone", async () => {
  const page = await browser.open("/collections/media", { app: person })
  await page.getByRole("row").nth(1).getByRole("gridcell").nth(1).click(WAIT)
  const alt = page.getByRole("textbox", { name: "Alternative text", exact: true })
  const seen = await valuesOfNeighbours(page, () => alt.inputValue())

  expect(HOSTILE_STRINGS.filter((text) => !seen.has(text))).toEqual([])
})

test.each(Object.entries(SIZES))(
  "hostile titles stay texts among links and choices, on a %s",
  async (_name, viewport) => {
    const page = await browser.open(`/collections/gatherings/${gathering}`, { app: person, viewport })
    await page.getByRole("list", { name: "Notes" }).getByRole("listitem").first().waitFor(WAIT)
    await expectUnharmed(page)

    const picker = page.getByRole("combobox", { name: "Another note" })
    await picker.scrollIntoViewIfNeeded()
    // A list of choices closes when the page is scrolled, and a page says so in the frame after.
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    for (const typed of ["", "<", "a", "W"]) {
      await picker.fill(typed)
      await picker.press("ArrowDown")
      await page.getByRole("option").first().waitFor(WAIT)
      await expectUnharmed(page)
    }
  },
)

test("hostile labels stay texts in lists and forms, on a desk and a phone", async () => {
  for (const [index] of labels.entries()) {
    const page = await browser.open(`/collections/things${index}`, { app: person })
    await page.getByRole("row").last().waitFor(WAIT)
    await expectUnharmedInBothSizes(page)

    await page.getByRole("row").last().getByText("One").click()
    await page.getByRole("textbox").first().waitFor(WAIT)
    await expectUnharmedInBothSizes(page)
    await page.context().close()
  }
})

/** Returns a value of each record of a list, from the one that is open to the last one. Each is looked at in both sizes. */
async function valuesOfNeighbours(page: Page, readValue: () => Promise<string>): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  const next = page.getByRole("button", { name: "Next record" })
  for (;;) {
    await next.waitFor(WAIT)
    await page.getByRole("textbox").first().waitFor(WAIT)
    seen.add(await readValue())
    await expectUnharmedInBothSizes(page)
    if (await next.isDisabled()) return seen
    const address = page.url()
    await next.click(WAIT)
    await page.waitForURL((url) => url.href !== address, WAIT)
  }
}

/** Returns the texts of all rows of a list, as they are shown one screen after the other, down and up again. */
async function textsWhileScrolling(page: Page): Promise<readonly string[]> {
  const texts = new Set<string>()
  await page.getByRole("row").nth(1).hover()
  for (const pixels of [...Array(SCREENS).fill(SCREEN_PIXELS), ...Array(SCREENS).fill(-SCREEN_PIXELS)]) {
    for (const text of await page.getByRole("row").allTextContents()) texts.add(text)
    await page.mouse.wheel(0, pixels)
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
  }
  for (const text of await page.getByRole("row").allTextContents()) texts.add(text)
  return [...texts]
}

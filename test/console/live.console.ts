import { setInterval } from "node:timers/promises"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { noteRowRenders, takeRowCommits } from "./support/row-renders.ts"
import { useConsole, WAIT } from "./support/use-console.ts"

const WRITES = 60
const WRITES_PER_SECOND = 20
/** A snapshot holds the changes since the last one, so that it never has more rows to render. */
const WRITTEN_ROWS = 5
const MAX_SHIFT = 0.01

const browser = useConsole()
const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text })

test("what is saved in one window changes in the row of the other one", async () => {
  const { specimens } = (await browser.clientOf("admin")).collections
  const { id } = await specimens.create({ name: "Dolomite", code: "DO-100" })
  const [list, form] = await Promise.all([
    browser.open("/collections/specimens", { as: "admin" }),
    // The form finds out only by an answer whether the record that is gone at the end lies in the trash.
    browser.open(`/collections/specimens/${id}`, { as: "editor", expected: /^404: GET .*includeDeleted/ }),
  ])
  await rowOf(list, "Dolomite").waitFor(WAIT)

  await form.getByRole("textbox", { name: "Name", exact: true }).fill("Dolomite, polished")
  await form.getByRole("button", { name: /^Save/ }).click()

  await rowOf(list, "Dolomite, polished").waitFor(WAIT)
  await specimens.deleteById({ id })
  await specimens.purgeById({ id })
  await rowOf(list, "Dolomite").waitFor({ state: "detached", ...WAIT })
})

test("a form follows what others save, and keeps what the person has typed", async () => {
  const { specimens } = (await browser.clientOf("admin")).collections
  const { id } = await specimens.create({ name: "Feldspar", code: "FE-101" })
  const page = await browser.open(`/collections/specimens/${id}`, { as: "editor" })
  const about = page.getByRole("textbox", { name: "About", exact: true })
  await about.fill("Typed here, not saved yet.")

  await specimens.updateById({ id, data: { name: "Feldspar, pink", site: "https://example.com/pink" } })

  const site = page.getByRole("textbox", { name: "Site", exact: true })
  await expect.poll(() => site.inputValue()).toBe("https://example.com/pink")
  expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Feldspar, pink")
  expect(await about.inputValue()).toBe("Typed here, not saved yet.")
  await page.getByRole("button", { name: /^Save/ }).click()
  await expect.poll(async () => (await specimens.findOne({ where: { id } })).about).toBe("Typed here, not saved yet.")
  await specimens.deleteById({ id })
})

test("twenty writes a second render only the rows that are written, and move nothing in a list of a hundred", async () => {
  const { readings } = (await browser.clientOf("admin")).collections
  const { docs } = await readings.find({ orderBy: { takenAt: "desc" }, limit: WRITTEN_ROWS })
  const page = await browser.openEmpty({ as: "admin" })
  await noteRowRenders(page)
  await page.goto(browser.urlOf("/collections/readings"))
  await rowOf(page, "Reading 10000").waitFor(WAIT)
  await noteShifts(page)
  await expect.poll(() => takeRowCommits(page)).toEqual([])

  let writes = 0
  for await (const _tick of setInterval(1_000 / WRITES_PER_SECOND)) {
    writes += 1
    // The last one is a value that no reading has.
    const value = writes === WRITES ? 123_456 : writes
    await readings.updateById({ id: docs[writes % WRITTEN_ROWS].id, data: { value } })
    if (writes === WRITES) break
  }
  await page
    .getByRole("row")
    .filter({ hasText: /123[,.\s]?456/ })
    .waitFor(WAIT)

  const commits = await takeRowCommits(page)
  const labels = docs.map(({ label }: { label: string }) => label)
  const others = commits.flat().filter((text) => !labels.some((label: string) => text.includes(label)))
  expect(commits.length).toBeGreaterThan(0)
  expect(Math.max(...commits.map((rows) => rows.length))).toBeLessThanOrEqual(WRITTEN_ROWS)
  expect(others).toEqual([])
  expect(await page.evaluate("window.shifted")).toBeLessThanOrEqual(MAX_SHIFT)
})

/** Adds up the layout shifts of a page, as the browser measures them. */
async function noteShifts(page: Page): Promise<void> {
  await page.evaluate(`
    window.shifted = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shifted += entry.value
    }).observe({ type: "layout-shift" })
  `)
}

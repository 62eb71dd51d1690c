import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { useConsole, WAIT } from "./support/use-console.ts"

const ROWS = 10_000
const MAX_NODES = 2_000
/** So many rows of 44 px are seen in a window of 800 px, at least. */
const MIN_SHOWN = 12
const WHEELS = 40
const WHEEL_PIXELS = 1_500
/** Parts of the height of the list, in an order in which none is near the one before. */
const JUMPS = [0.5, 0.93, 0.12, 0.71, 0.004, 0.38, 0.85, 0.26]

const browser = useConsole()

/** Returns the labels of all readings, in the order of the list. */
async function labelsInOrder(): Promise<readonly string[]> {
  const { readings } = (await browser.clientOf("admin")).collections
  const labels: string[] = []
  for (let page = 1; labels.length < ROWS; page++) {
    const { docs } = await readings.find({ orderBy: { takenAt: "desc" }, columns: { label: true }, limit: 1_000, page })
    labels.push(...docs.map(({ label }: { label: string }) => label))
  }
  return labels
}

/**
 * Returns the labels of the rows that a person sees, from above to below. The row with the focus is kept outside of what
 * is seen.
 */
async function shownLabels(page: Page): Promise<readonly string[]> {
  // The text is evaluated in the page, whose types the tests do not have.
  const rows = await page.evaluate<{ top: number; text: string }[]>(`
    Array.from(document.querySelectorAll("[role=row]"), (row) => ({
      top: row.getBoundingClientRect().top,
      text: row.textContent ?? "",
    })).filter(({ top }) => top > 0 && top < innerHeight)
  `)
  return rows.sort((one, other) => one.top - other.top).flatMap(({ text }) => /Reading \d{5}/.exec(text)?.[0] ?? [])
}

async function openReadings(): Promise<Page> {
  const page = await browser.open("/collections/readings", { as: "admin" })
  await page.getByRole("row").filter({ hasText: "Reading 10000" }).waitFor(WAIT)
  return page
}

/** Resolves to the labels of the rows in view, once they fill it. */
async function fullView(page: Page): Promise<readonly string[]> {
  let shown: readonly string[] = []
  const look = async () => {
    shown = await shownLabels(page)
    return shown.length
  }
  await expect.poll(look).toBeGreaterThan(MIN_SHOWN)
  return shown
}

/** The labels are a part of the list without a gap, and where it should be. */
function expectRun(shown: readonly string[], labels: readonly string[]): void {
  const first = labels.indexOf(shown[0] ?? "")
  expect(first).toBeGreaterThanOrEqual(0)
  expect(shown).toEqual(labels.slice(first, first + shown.length))
}

test("End leads to the last of ten thousand rows, and Home to the first, by the keyboard alone", async () => {
  const labels = await labelsInOrder()
  const page = await openReadings()
  await page
    .getByRole("row")
    .filter({ hasText: "Reading 10000" })
    .click({ position: { x: 200, y: 10 }, trial: true })
  await focusGrid(page)

  await page.keyboard.press("End")
  await expect.poll(async () => (await shownLabels(page)).at(-1)).toBe("Reading 00001")
  expectRun(await shownLabels(page), labels)
  expect(await rowIndexOf(page, "Reading 00001")).toBe((await rowIndexOf(page, "Reading 00002")) + 1)

  await page.keyboard.press("Home")
  await expect.poll(async () => (await shownLabels(page))[0]).toBe("Reading 10000")
  expectRun(await shownLabels(page), labels)
})

test("every row that the wheel brings is the right one, and the page stays small", async () => {
  const labels = await labelsInOrder()
  const page = await openReadings()
  await page.getByRole("row").nth(2).hover()
  const seen = new Set<string>()

  for (let wheel = 0; wheel < WHEELS; wheel++) {
    await page.mouse.wheel(0, WHEEL_PIXELS)
    const shown = await fullView(page)
    expectRun(shown, labels)
    for (const label of shown) seen.add(label)
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThanOrEqual(MAX_NODES)
  }

  // It has really moved through the list.
  expect(seen.size).toBeGreaterThan(WHEELS * 3)
})

test("the rows are right wherever a person jumps to by the scrollbar", async () => {
  const labels = await labelsInOrder()
  const page = await openReadings()
  const grid = page.getByRole("grid")
  // The first rows are there before their number is known.
  await expect.poll(() => grid.getAttribute("aria-rowcount")).toBe(String(ROWS + 1))

  for (const part of JUMPS) {
    // This is what the scrollbar does when it is dragged. The scrollbars of this browser have no place of their own.
    await grid.evaluate((element: any, to) => void element.scrollTo(0, element.scrollHeight * to), part)
    const shown = await fullView(page)
    expectRun(shown, labels)
    expect(Math.abs(labels.indexOf(shown[0] ?? "") / ROWS - part)).toBeLessThan(0.01)
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThanOrEqual(MAX_NODES)
  }
})

/** Moves the focus into the grid by keys, as a person would. */
async function focusGrid(page: Page): Promise<void> {
  for (let key = 0; key < 60; key++) {
    if ((await page.evaluate("document.activeElement.getAttribute('role')")) === "grid") return
    await page.keyboard.press("Tab")
  }
  throw new Error("Tab never reaches the grid.")
}

async function rowIndexOf(page: Page, label: string): Promise<number> {
  return Number(await page.getByRole("row").filter({ hasText: label }).getAttribute("aria-rowindex"))
}

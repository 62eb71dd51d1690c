import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { leastOfFive, PageThread } from "./support/page-thread.ts"
import { useConsole, WAIT } from "./support/use-console.ts"

const CPU_RATIO = 2
/** The rows on the way of the wheel. */
const ROWS = 300
const WHEELS = 30
const WHEEL_PIXELS = 400

const browser = useConsole()

/** Opens the same page without its scripts, with the rows on the way of the wheel in it, each equal to one that is shown. */
async function openStatic(page: Page): Promise<Page> {
  const html = await page.evaluate<string>(`{
    const copy = document.documentElement.cloneNode(true)
    for (const script of copy.querySelectorAll("script, link[rel=modulepreload]")) script.remove()
    const rows = copy.querySelector(".rows")
    const sample = rows.children[2]
    const height = document.querySelector(".rows").children[2].getBoundingClientRect().height
    rows.replaceChildren(...Array.from({ length: ${ROWS} }, (_, place) => {
      const row = sample.cloneNode(true)
      row.style.transform = "translateY(" + place * height + "px)"
      return row
    }))
    "<!doctype html>" + copy.outerHTML
  }`)
  const copy = await browser.openEmpty()
  const address = browser.urlOf("/static")
  await copy.route(address, (route) => route.fulfill({ contentType: "text/html", body: html }))
  await copy.goto(address)
  return copy
}

/** Resolves to the CPU seconds that the page takes for a way down its list by the wheel, and back to the beginning. */
async function scrolling(page: Page, thread: PageThread): Promise<number> {
  await page.bringToFront()
  await page.getByRole("row").nth(2).hover(WAIT)
  const seconds = await thread.during(async () => {
    for (let wheel = 0; wheel < WHEELS; wheel++) {
      await page.mouse.wheel(0, WHEEL_PIXELS)
      await thread.painted()
    }
  })
  await page.getByRole("grid").evaluate((element: any) => void element.scrollTo(0, 0))
  await thread.painted()
  return seconds
}

test("the wheel costs about as much through a list of ten thousand rows as through a page that has only those on the way", async () => {
  const page = await browser.open("/collections/readings", { as: "admin" })
  await page.getByRole("row").filter({ hasText: "Reading 10000" }).waitFor(WAIT)
  const copy = await openStatic(page)
  const [inList, inStatic] = [await PageThread.of(page), await PageThread.of(copy)]

  const { list, rows } = await leastOfFive({
    list: () => scrolling(page, inList),
    rows: () => scrolling(copy, inStatic),
  })

  expect(list / rows, `${list} s against ${rows} s`).toBeLessThanOrEqual(CPU_RATIO)
})

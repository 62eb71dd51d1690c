import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { lookAt } from "../support/look-at.ts"
import { useConsole, WAIT } from "../support/use-console.ts"

const browser = useConsole()
// React writes each error that a boundary keeps into the console of the browser.
const CAUGHT = /^console: .*(?:TypeError|Failed to load)|net::ERR_FAILED|^console: .*dynamically imported/s

test("a field whose editor fails says so in its place, and the others can be saved", async () => {
  const { specimens } = (await browser.clientOf("admin")).collections
  const { id } = await specimens.create({ name: "Feldspar", code: "FE-901" })
  const page = await browser.open("/collections/topics", { as: "admin", expected: CAUGHT })
  await breakOptions(page)
  await page.goto(browser.urlOf(`/collections/specimens/${id}`))
  const card = page.getByRole("region", { name: "Shade", exact: true })
  await card.getByText("Shade cannot be shown").waitFor(WAIT)
  expect(await lookAt(page, { app: "fixture", name: "field-failed" })).toEqual([])

  await page.getByRole("textbox", { name: "About", exact: true }).fill("Still written.")
  await page.getByRole("button", { name: /^Save/ }).click()

  await expect.poll(async () => (await specimens.findOne({ where: { id } })).about).toBe("Still written.")
  await card.getByRole("button", { name: "Try again" }).click()
  await card.getByText("Shade cannot be shown").waitFor(WAIT)
  await specimens.deleteById({ id })
})

test("a cell that fails leaves its row and the list as they are", async () => {
  const page = await browser.open("/collections/topics", { as: "admin", expected: CAUGHT })
  await breakOptions(page)

  await page.goto(browser.urlOf("/collections/specimens"))

  await page.getByText("cannot be shown").first().waitFor(WAIT)
  expect(await page.getByRole("row").count()).toBeGreaterThan(1)
})

test("code that cannot be loaded is loaded again, also after a new build", async () => {
  const page = await browser.open("/collections/specimens", { as: "admin", expected: CAUGHT })
  await page.getByRole("row").nth(1).waitFor(WAIT)
  await page.route(/\/record-screen-[0-9a-f]+\.js/, (route) => route.abort())
  await page.getByRole("row").nth(1).getByRole("link").click()
  const again = page.getByRole("button", { name: "Load again" })
  await again.waitFor(WAIT)
  expect(await lookAt(page, { app: "fixture", name: "not-loaded" })).toEqual([])
  await page.unroute(/\/record-screen-[0-9a-f]+\.js/)

  await again.click()

  await page.getByRole("textbox", { name: "Name", exact: true }).waitFor(WAIT)
})

test("without a connection, loading again says so and keeps the page", async () => {
  const page = await browser.open("/collections/specimens", { as: "admin", expected: CAUGHT })
  await page.getByRole("row").nth(1).waitFor(WAIT)
  await page.route(/\/(?:record-screen-[0-9a-f]+\.js|admin)$/, (route) => route.abort())
  await page.getByRole("row").nth(1).getByRole("link").click()

  await page.getByRole("button", { name: "Load again" }).click()

  await page.getByText("There is still no connection to the server.").waitFor(WAIT)
})

/** Describes a select without its options, as no server does: its editor and its cell fail. */
async function breakOptions(page: Page): Promise<void> {
  await page.route(/\/api\/specimens\/schema/, async (route) => {
    const response = await route.fetch()
    if (response.status() !== 200) return route.fulfill({ response })
    const schema = await response.json()
    Object(schema.json ?? schema).fields.shade.options = [null]
    return route.fulfill({ response, json: schema })
  })
}

import type { Locator, Page } from "playwright-core"
import { expect, test } from "vitest"
import { emailOf, PASSWORD } from "./support/people.ts"
import { useConsole, WAIT } from "./support/use-console.ts"

const MAX_KEYS = 120

const browser = useConsole()

/** Presses a key until the element has the focus, as a person does who looks for it. The focus is never lost on the way. */
async function moveTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
  await target.waitFor(WAIT)
  for (let pressed = 0; pressed < MAX_KEYS; pressed++) {
    // The tests do not have the types of a page.
    if (await target.evaluate((element: any) => element.matches(":focus, :focus-within"))) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never leads to ${target}.`)
}

/** Resolves to whether the focus is on something that a person can use, and not on the page itself, once that is settled. */
async function hasFocus(page: Page): Promise<boolean> {
  const isOnPage = () => page.evaluate<boolean>("document.activeElement.tagName === 'BODY'")
  await expect
    .poll(isOnPage, { timeout: 5_000 })
    .toBe(false)
    .catch(() => undefined)
  return !(await isOnPage())
}

/** Moves through the options of a combobox by the arrows until it is on the one, and takes it. */
async function chooseOption(page: Page, combobox: Locator, name: RegExp): Promise<void> {
  const option = page.getByRole("option", { name })
  await option.waitFor(WAIT)
  for (let pressed = 0; pressed < MAX_KEYS; pressed++) {
    const [at, id] = [await combobox.getAttribute("aria-activedescendant"), await option.getAttribute("id")]
    if (at === id) {
      await page.keyboard.press("Enter")
      return
    }
    await page.keyboard.press("ArrowDown")
  }
  throw new Error(`The arrows never lead to the option ${name}.`)
}

test("signs in, filters, opens, edits, picks, creates in place, saves, deletes and restores, without a pointer", async () => {
  const { stories } = (await browser.clientOf("admin")).collections
  const { id } = await stories.create({ title: "Only keys", slug: "only-keys", kind: "report" })
  const page = await browser.open("/collections/stories")
  const lost: string[] = []
  const expectFocus = async (step: string) => {
    if (!(await hasFocus(page))) lost.push(step)
  }

  await moveTo(page, page.getByRole("textbox", { name: "E-mail" }))
  await page.keyboard.type(emailOf("admin"))
  await moveTo(page, page.getByLabel("Password"))
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press("Enter")

  // Filter: the kind is a report.
  const grid = page.getByRole("grid")
  await moveTo(page, grid)
  await page.keyboard.press("f")
  const filter = page.getByRole("dialog", { name: "Filter" })
  await moveTo(page, filter.getByRole("button", { name: "Kind", exact: true }))
  await page.keyboard.press("Enter")
  await moveTo(page, filter.getByRole("button", { name: "is any of" }))
  await page.keyboard.press("Enter")
  await moveTo(page, filter.getByRole("checkbox", { name: "Report" }))
  await page.keyboard.press("Space")
  await moveTo(page, filter.getByRole("button", { name: "Apply" }))
  await page.keyboard.press("Enter")
  await page
    .getByRole("row")
    .filter({ hasText: "News" })
    .first()
    .waitFor({ state: "detached", ...WAIT })
  await expectFocus("after a filter")

  // Open the first row: the story that was made last.
  await moveTo(page, grid)
  await page.keyboard.press("Home")
  await page.keyboard.press("Enter")
  const title = page.getByRole("textbox", { name: "Title", exact: true })
  await expect.poll(() => title.inputValue(), WAIT).toBe("Only keys")
  await expectFocus("after a record is opened")

  // Edit, pick, create in place, save.
  await moveTo(page, page.getByRole("textbox", { name: "Lead", exact: true }))
  await page.keyboard.type("Written without a pointer.")
  const topics = page.getByRole("combobox", { name: "Topics" })
  await moveTo(page, topics)
  await page.keyboard.type("City")
  await chooseOption(page, topics, /^City/)
  await page.getByRole("list", { name: "Topics" }).getByText("City").waitFor(WAIT)
  await page.keyboard.type("Keyboards")
  await page.getByRole("option", { name: /New topic/ }).waitFor(WAIT)
  await page.keyboard.press("Control+Enter")
  await page.getByRole("list", { name: "Topics" }).getByText("Keyboards").waitFor(WAIT)
  await page.keyboard.press("Control+s")
  await expect.poll(() => page.getByText(/unsaved/).count(), WAIT).toBe(0)
  await expectFocus("after a save")
  const saved = await stories.findOne({ where: { id }, with: { topics: true } })

  // Delete, and restore from the trash.
  await moveTo(page, page.getByRole("button", { name: "More actions" }), "Shift+Tab")
  await page.keyboard.press("Enter")
  await moveTo(page, page.getByRole("menuitem", { name: "Delete" }), "ArrowDown")
  await page.keyboard.press("Enter")
  await expect.poll(() => stories.count({ where: { id } }), WAIT).toBe(0)
  await expectFocus("after a delete")
  await moveTo(page, page.getByRole("link", { name: "Trash" }))
  await page.keyboard.press("Enter")
  await page.getByRole("row").filter({ hasText: "Only keys" }).waitFor(WAIT)
  await moveTo(page, grid)
  await page.keyboard.press("Home")
  await page.keyboard.press("x")
  await moveTo(page, page.getByRole("button", { name: "Restore" }))
  await page.keyboard.press("Enter")
  await expect.poll(() => stories.count({ where: { id } }), WAIT).toBe(1)
  await expectFocus("after a restore")

  expect(lost).toEqual([])
  expect(saved.lead).toBe("Written without a pointer.")
  expect(saved.topics.map(({ name }: { name: string }) => name).sort()).toEqual(["City", "Keyboards"])
})

test("keys of one letter work in the grid only, and the browser's own keys are left alone", async () => {
  const page = await browser.open("/collections/stories", { as: "admin" })
  await page.getByRole("row").nth(1).waitFor(WAIT)
  await moveTo(page, page.getByRole("textbox", { name: "Search stories" }))

  await page.keyboard.type("fnx?")

  expect(await page.getByRole("dialog").count()).toBe(0)
  expect(await page.getByRole("textbox", { name: "Search stories" }).inputValue()).toBe("fnx?")
  expect(page.url()).not.toContain("/new")
})

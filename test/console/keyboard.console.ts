import type { Locator, Page } from "playwright-core"
import { expect, test } from "vitest"
import { expectSaved } from "./support/form-fields.ts"
import { emailOf, PASSWORD } from "./support/people.ts"
import { useConsole, WAIT } from "./support/use-console.ts"

const MAX_KEYS = 120
const MAX_FRAMES = 20

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

/**
 * Notes in the page whenever the focus is on nothing that a person can use, after it was on something. It may be so for a
 * few frames, while a screen is replaced, and while the page is empty, as between the sign-in and the desk.
 */
async function watchFocus(page: Page): Promise<void> {
  await page.evaluate(`{
    window.lostFocus = []
    let last = null
    let frames = 0
    const look = () => {
      const { activeElement, body } = document
      const hasContent = document.querySelector("main") !== null
      frames = activeElement === body && last && hasContent ? frames + 1 : 0
      if (activeElement !== body) last = activeElement
      if (frames === ${MAX_FRAMES}) window.lostFocus.push(last.outerHTML.slice(0, 120))
      requestAnimationFrame(look)
    }
    look()
  }`)
}

/** Resolves to the elements with which the focus has gone away. */
async function lostFocus(page: Page): Promise<readonly string[]> {
  await page.evaluate(`new Promise((resolve) => {
    let frames = 0
    const look = () => (frames++ > ${MAX_FRAMES} ? resolve() : requestAnimationFrame(look))
    look()
  })`)
  return page.evaluate<readonly string[]>("window.lostFocus")
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
  await moveTo(page, page.getByRole("textbox", { name: "E-mail" }))
  await watchFocus(page)
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
  await page.getByRole("row").filter({ hasText: "Only keys" }).waitFor(WAIT)

  // Open the first row: the story that was made last.
  await moveTo(page, grid)
  await page.keyboard.press("Home")
  await page.keyboard.press("Enter")
  const title = page.getByRole("textbox", { name: "Title", exact: true })
  await expect.poll(() => title.inputValue(), WAIT).toBe("Only keys")

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
  // Tab closes the list first: it never leads into what an open one hides from screen readers.
  await page.keyboard.type("C")
  await page.getByRole("option").first().waitFor(WAIT)
  await page.keyboard.press("Tab")
  expect(await page.evaluate("document.activeElement.closest('[aria-hidden=true]')")).toBeNull()
  await page.keyboard.press("Control+s")
  await expectSaved(page)
  const saved = await stories.findOne({ where: { id }, with: { topics: true } })

  // Delete, and restore from the trash.
  await moveTo(page, page.getByRole("button", { name: "More actions" }), "Shift+Tab")
  await page.keyboard.press("Enter")
  await moveTo(page, page.getByRole("menuitem", { name: "Delete" }), "ArrowDown")
  await page.keyboard.press("Enter")
  await expect.poll(() => stories.count({ where: { id } }), WAIT).toBe(0)
  await moveTo(page, page.getByRole("link", { name: "Trash" }))
  await page.keyboard.press("Enter")
  await page.getByRole("row").filter({ hasText: "Only keys" }).waitFor(WAIT)
  await moveTo(page, grid)
  await page.keyboard.press("Home")
  await page.keyboard.press("x")
  await moveTo(page, page.getByRole("button", { name: "Restore" }))
  await page.keyboard.press("Enter")
  await expect.poll(() => stories.count({ where: { id } }), WAIT).toBe(1)

  expect(await lostFocus(page)).toEqual([])
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

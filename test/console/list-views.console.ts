import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { lookAt } from "./support/look-at.ts"
import { useConsole, WAIT } from "./support/use-console.ts"

const browser = useConsole()
const rowOf = (page: Page, text: string | RegExp) => page.getByRole("row").filter({ hasText: text })
const heading = (page: Page, name: RegExp) => page.getByRole("row", { name, level: 1 })

async function createStory(title: string, values: object = {}) {
  const { stories } = (await browser.clientOf("admin")).collections
  const slug = title.toLowerCase().replaceAll(" ", "-")
  const { id } = await stories.create({ title, slug, ...values })
  return { id, stories }
}

test("a list is put into groups, which fold by the keyboard and stay folded", async () => {
  const page = await browser.open("/collections/stories", { as: "admin" })
  await rowOf(page, "Seven rivers").waitFor(WAIT)

  await page.getByRole("button", { name: "Display" }).click()
  await page.getByRole("combobox", { name: "Group by" }).selectOption({ label: "Stage" })
  await page.keyboard.press("Escape")
  await heading(page, /^Published/).waitFor(WAIT)
  expect(new URL(page.url()).search).toBe("?group=stage")
  expect(await lookAt(page, { app: "fixture", name: "list-groups" })).toEqual([])

  await page.getByRole("treegrid", { name: "Stories by stage" }).focus()
  await page.keyboard.press("Home")
  await page.keyboard.press("ArrowLeft")
  expect(await heading(page, /^Draft/).getAttribute("aria-expanded")).toBe("false")
  expect(await rowOf(page, "A train returns").count()).toBe(0)
  await page.reload()
  await heading(page, /^Draft/).waitFor(WAIT)
  expect(await rowOf(page, "A train returns").count()).toBe(0)
  await page.getByRole("treegrid").focus()
  await page.keyboard.press("Home")
  await page.keyboard.press("ArrowRight")
  await rowOf(page, "A train returns").waitFor(WAIT)
  expect(await rowOf(page, "A train returns").getAttribute("aria-level")).toBe("2")

  // Into the group, to its first record, and into that.
  await page.keyboard.press("ArrowRight")
  await page.keyboard.press("Enter")
  await page.getByRole("textbox", { name: "Title", exact: true }).waitFor(WAIT)
  expect(await page.getByRole("button", { name: "Next record" }).isEnabled()).toBe(true)
  await page.goBack()
  await page.getByRole("treegrid").waitFor(WAIT)
  expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe("treegrid")
})

test("a group follows what others save, and its number leads to its records alone", async () => {
  const { id, stories } = await createStory("Moves between groups", { kind: "news" })
  const page = await browser.open("/collections/stories?group=kind", { as: "editor" })
  await rowOf(page, "Moves between groups").waitFor(WAIT)

  await stories.updateById({ id, data: { kind: "report" } })
  const count = await stories.count({ where: { kind: "report" }, stage: "draft" })
  await heading(page, new RegExp(`^Report ${count}`)).waitFor(WAIT)
  await heading(page, /^Report/)
    .getByRole("link", { name: String(count) })
    .click()

  await page.getByRole("button", { name: "Remove the filter Kind is Report" }).waitFor(WAIT)
  await rowOf(page, "Moves between groups").waitFor(WAIT)
  await stories.deleteById({ id })
})

test("moments are grouped by month, with the first records of each and a way to the others", async () => {
  const { readings } = (await browser.clientOf("admin")).collections
  const page = await browser.open("/collections/readings?group=takenAt", { as: "admin" })
  const first = page.getByRole("row", { level: 1 }).first()
  await first.waitFor(WAIT)
  const showAll = page.getByRole("link", { name: /^Show all/ }).first()
  const [, count = ""] = /([\d,]+)$/.exec((await showAll.textContent()) ?? "") ?? []

  await showAll.click()

  await page.getByRole("grid", { name: "Readings" }).waitFor(WAIT)
  await page.getByText(count, { exact: true }).first().waitFor(WAIT)
  const [from, to] = daysIn(page.url())
  const where = { takenAt: { gte: `${from}T00:00:00Z`, lt: new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000) } }
  expect(await readings.count({ where })).toBe(Number(count.replace(",", "")))
})

/** Returns the days of the filter in the address of a list. The browser of the tests is in the zone of the machine. */
function daysIn(address: string): readonly [string, string] {
  const [filter = ""] = new URL(address).searchParams.getAll("filter")
  return JSON.parse(filter.replace("takenAt:between:", ""))
}

test("a list shows which languages its records are complete in, and its texts in one of them", async () => {
  const { id, stories } = await createStory("A story in one language")
  const page = await browser.open("/collections/stories", { as: "editor" })
  const row = rowOf(page, /A story in one language|Príbeh v dvoch jazykoch/)
  await row.getByText("Missing: Slovak").waitFor(WAIT)

  await stories.updateById({ id, data: { title: "Príbeh v dvoch jazykoch" } }, { locale: "sk" })
  await row.getByText("Complete in all languages").waitFor(WAIT)
  await page.getByRole("button", { name: "Language of the texts: English" }).click()
  expect(await lookAt(page, { app: "fixture", name: "list-languages" })).toEqual([])
  await page.getByRole("menuitemradio", { name: "Slovak" }).click()

  await rowOf(page, "Príbeh v dvoch jazykoch").waitFor(WAIT)
  expect(new URL(page.url()).search).toBe("?locale=sk")
  await stories.deleteById({ id })
})

test("select all means all that match, and says how many before they are deleted", async () => {
  const page = await browser.open("/collections/readings", { as: "admin" })
  await rowOf(page, "Reading 10000").waitFor(WAIT)
  await page.getByRole("grid").focus()

  await page.keyboard.press("Control+a")
  await page.getByText("10,000 selected").waitFor(WAIT)
  await page.keyboard.press("Delete")
  await page.getByRole("heading", { name: "Delete 10,000 readings for good?" }).waitFor(WAIT)
  await page.getByRole("button", { name: "Cancel" }).click()
  await page.getByRole("grid").focus()
  await page.keyboard.press("Escape")

  await page.getByText("10,000 selected").waitFor({ state: "detached", ...WAIT })
})

test("what is public is a list of its own, with the stages of its records", async () => {
  const page = await browser.open("/collections/stories?stage=published", { as: "admin" })

  await rowOf(page, "Seven rivers").getByText("Published").waitFor(WAIT)
  expect(await rowOf(page, "A train returns").count()).toBe(0)
})

test("each screen shows the calls behind it, by the keyboard, and gives the focus back", async () => {
  const filter = encodeURIComponent(`kind:isAnyOf:["report"]`)
  const page = await browser.open(`/collections/stories?filter=${filter}`, { as: "admin" })
  await rowOf(page, "Seven rivers").waitFor(WAIT)
  const button = page.getByRole("button", { name: "As code" })
  await button.focus()

  await page.keyboard.press("Enter")
  const panel = page.getByRole("dialog", { name: "As code" })
  await panel.getByText("await client.collections.stories.find({").waitFor(WAIT)
  await panel.getByText("where[kind][in][]=report").first().waitFor(WAIT)
  expect(await lookAt(page, { app: "fixture", name: "as-code" })).toEqual([])
  await page.keyboard.press("Escape")

  await panel.waitFor({ state: "detached", ...WAIT })
  expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("As code")
})

test("the code of a form has what is typed and not yet saved", async () => {
  const { id, stories } = await createStory("Typed but not saved")
  const page = await browser.open(`/collections/stories/${id}`, { as: "admin" })
  await page.getByRole("textbox", { name: "Title", exact: true }).fill(`It's "typed"`)

  await page.getByRole("button", { name: "As code" }).click()

  const panel = page.getByRole("dialog", { name: "As code" })
  await panel.getByRole("heading", { name: "Saving what is unsaved" }).waitFor(WAIT)
  await panel.getByText(String.raw`title: "It's \"typed\""`).waitFor(WAIT)
  await page.keyboard.press("Escape")
  await stories.deleteById({ id })
})

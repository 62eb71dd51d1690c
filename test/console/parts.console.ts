import type { Locator, Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { isRefused, save } from "./support/form-fields.ts"
import { useConsole, WAIT } from "./support/use-console.ts"

// A picture of one pixel.
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
const OPTIONS = { viewport: { width: 1280, height: 1400 } }

const browser = useConsole()
const textbox = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true })
const listOf = (page: Page, name: string) => page.getByRole("list", { name, exact: true })
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click(WAIT)
const collectionOf = async (name: string) => (await browser.clientOf("admin")).collections[name]

/** Finds a record by its title in the field of a relation, and takes it. */
async function pick(page: Page, label: string, title: string): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).fill(title)
  await page
    .getByRole("option", { name: new RegExp(`^${title}`) })
    .first()
    .click(WAIT)
}

/** Opens the first item of a list that is folded. */
const unfold = (page: Page, label: string) =>
  listOf(page, label).getByRole("button", { expanded: false }).first().click(WAIT)

/** Removes the first item of a list whose items can be folded. */
async function removeItem(page: Page, label: string): Promise<void> {
  const list = listOf(page, label)
  await list
    .getByRole("button", { expanded: false })
    .or(list.getByRole("button", { expanded: true }))
    .first()
    .focus()
  await list.getByRole("button", { name: "Actions of item 1" }).first().click()
  await page.getByRole("menuitem", { name: "Remove" }).click()
}

describe.each(["admin", "editor", "author"] as const)("the role %s", (role) => {
  test("creates, edits and clears relations, a file and a rich text", async () => {
    const stories = await collectionOf("stories")
    const where = { slug: `parts-by-${role}` }
    const stored = async () => {
      const story = await stories.findOne({ where, with: { topics: true, readNext: true, follows: true, cover: true } })
      const titles = (related: { title: string }[]) => related.map(({ title }) => title)
      return {
        follows: story.follows?.title ?? null,
        cover: story.cover?.filename ?? null,
        topics: story.topics.map(({ name }: { name: string }) => name).sort(),
        readNext: titles(story.readNext),
        text: /"text":"([^"]*)"/.exec(JSON.stringify(story.body))?.[1] ?? null,
      }
    }
    const page = await browser.open("/collections/stories/new", { as: role, ...OPTIONS })

    await textbox(page, "Title").fill(`Parts by ${role}`, WAIT)
    await textbox(page, "Address").fill(where.slug)
    await textbox(page, "Text").pressSequentially("Written.")
    await pick(page, "Follows", "Seven rivers")
    await pick(page, "Topics", "City")
    await pick(page, "Topics", "Lakes")
    await pick(page, "Read next", "Seven rivers")
    await pick(page, "Read next", "A train")
    const chooser = page.waitForEvent("filechooser")
    await press(page, "Cover: Choose a file")
    const buffer = Buffer.from(PICTURE, "base64")
    await (await chooser).setFiles({ name: `by-${role}.png`, mimeType: "image/png", buffer })
    await page.getByRole("button", { name: "Replace Cover" }).waitFor(WAIT)
    await save(page)
    const created = await stored()

    await press(page, "Change Follows: Seven rivers")
    await pick(page, "Follows", "A train")
    await press(page, "Remove Lakes")
    await listOf(page, "Read next").getByRole("button", { name: "Actions for Seven rivers" }).click()
    await page.getByRole("menuitem", { name: "Move down" }).click()
    await textbox(page, "Text").press("Control+End")
    await page.keyboard.type(" And edited.")
    await save(page)
    const edited = await stored()

    await press(page, "Clear Follows")
    await press(page, "Clear Cover")
    await press(page, "Remove City")
    await press(page, "Remove Seven rivers")
    await press(page, "Remove A train returns")
    await textbox(page, "Text").press("Control+a")
    await page.keyboard.press("Delete")
    await save(page)

    expect(created).toEqual({
      follows: "Seven rivers",
      cover: expect.stringContaining(`by-${role}`),
      topics: ["City", "Lakes"],
      readNext: ["Seven rivers", "A train returns"],
      text: "Written.",
    })
    expect(edited).toEqual({
      follows: "A train returns",
      cover: created.cover,
      topics: ["City"],
      readNext: ["A train returns", "Seven rivers"],
      text: "Written. And edited.",
    })
    expect(await stored()).toEqual({ follows: null, cover: null, topics: [], readNext: [], text: null })
    await stories.deleteById({ id: page.url().split("/").at(-1) })
  })
})

test("objects, lists and blocks are created, edited and cleared", async () => {
  const layouts = await collectionOf("layouts")
  const stored = async () => {
    const { size, keywords, steps, body } = await layouts.findOne({ where: { title: "Made of parts" } })
    return JSON.parse(JSON.stringify({ size, keywords, steps, body: body?.map(({ id, ...block }: any) => block) }))
  }
  const page = await browser.open("/collections/layouts/new", { as: "editor", ...OPTIONS })

  await textbox(page, "Title").fill("Made of parts", WAIT)
  await textbox(page, "Width").fill("300")
  await textbox(page, "Height").fill("200")
  await press(page, "Add to Keywords")
  await textbox(page, "Keywords 1").fill("paper")
  await press(page, "Add to Steps")
  await listOf(page, "Steps").getByRole("textbox", { name: "Title" }).fill("Draw")
  await press(page, "Add to Body")
  await page.getByRole("menuitem", { name: /^Opening/ }).click()
  await listOf(page, "Body").getByRole("textbox", { name: "Heading" }).fill("A heading")
  await save(page)
  const created = await stored()

  await textbox(page, "Width").fill("301")
  await textbox(page, "Keywords 1").press("End")
  await page.keyboard.press("Enter")
  await textbox(page, "Keywords 2").fill("ink")
  await unfold(page, "Steps")
  await listOf(page, "Steps").getByRole("textbox", { name: "Title" }).fill("Print")
  await press(page, "Add to Body")
  await page.getByRole("menuitem", { name: /^Quotation/ }).click()
  await listOf(page, "Body").getByRole("textbox", { name: "Text" }).fill("Said.")
  await save(page)
  const edited = await stored()

  await press(page, "Empty Size")
  for (const number of [2, 1]) await press(page, `Remove Keywords ${number}`)
  await removeItem(page, "Steps")
  for (const _block of ["hero", "quote"]) await removeItem(page, "Body")
  await save(page)
  const cleared = await stored()

  expect(created).toMatchObject({
    size: { width: 300, height: 200, unit: "px" },
    keywords: ["paper"],
    steps: [{ title: "Draw" }],
    body: [{ type: "hero", heading: "A heading" }],
  })
  expect(edited).toMatchObject({
    size: { width: 301, height: 200, unit: "px" },
    keywords: ["paper", "ink"],
    steps: [{ title: "Print" }],
    body: [
      { type: "hero", heading: "A heading" },
      { type: "quote", text: "Said." },
    ],
  })
  expect(Object.values(cleared).filter((value: any) => (value?.length ?? value) || value?.width)).toEqual([])
  await layouts.deleteById({ id: page.url().split("/").at(-1) })
})

test("every limit of a part is told before anything is sent", async () => {
  const page = await browser.open("/collections/layouts/new", { as: "editor", ...OPTIONS })
  await textbox(page, "Width").fill("1", WAIT)
  const add = page.getByRole("button", { name: "Add to Keywords", exact: true })
  for (let keywords = 0; keywords < 5; keywords++) await add.click()
  await press(page, "Add to Steps")
  await press(page, "Add to Body")
  await page.getByRole("menuitem", { name: /^Quotation/ }).click()
  const refused: (readonly [box: Locator, value: string, says: RegExp])[] = [
    [textbox(page, "Width"), "0", /at least 1/i],
    [textbox(page, "Width"), "5001", /at most 5000/i],
    [textbox(page, "Height"), "1.5", /whole number/i],
    [textbox(page, "Keywords 1"), "x".repeat(21), /at most 20/i],
    [listOf(page, "Steps").getByRole("textbox", { name: "Title" }), "x".repeat(61), /at most 60/i],
    [listOf(page, "Body").getByRole("textbox", { name: "Text" }), "x".repeat(201), /at most 200/i],
  ]
  const missing: string[] = []

  for (const [box, value, says] of refused) {
    await box.fill(value)
    await page.keyboard.press("Tab")
    if (!(await isRefused(box, says))) missing.push(`${says}`)
  }

  expect(missing).toEqual([])
  // The list has as many items as it may.
  expect(await add.isDisabled()).toBe(true)
})

test("a viewer reads what is made of parts and related, and can change none of it", async () => {
  const { id } = await (await collectionOf("layouts")).findOne({ where: { title: "The lake in eight pictures" } })
  const story = await (await collectionOf("stories")).findOne({ where: { slug: "seven-rivers" } })
  for (const [path, texts] of [
    [`layouts/${id}`, ["1,200", "lake", "winter", "Draw", "Print"]],
    [`stories/${story.id}`, ["Seven rivers. A first paragraph.", "Jonas Berg", "Lakes", "What the lake remembers"]],
  ] as const) {
    const page = await browser.open(`/collections/${path}`, { as: "viewer", ...OPTIONS })
    const main = page.getByRole("main")
    for (const text of texts) await main.getByText(text).first().waitFor(WAIT)
    for (const role of ["textbox", "combobox", "spinbutton", "checkbox"] as const) {
      expect(await main.getByRole(role).count(), role).toBe(0)
    }
    expect(await main.getByRole("button", { name: /^(?:Save|Add|Remove|Clear|Empty|Change|Replace)/ }).count()).toBe(0)
  }
})

import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { lookAt } from "../support/look-at.ts"
import { useConsole, WAIT } from "../support/use-console.ts"

const browser = useConsole()
const textbox = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true })
const save = (page: Page) => page.getByRole("button", { name: /^Save/ })

/** Turns the form to a language, as a person does: by the switch in the header. */
async function turnTo(page: Page, language: string): Promise<void> {
  await page.getByRole("button", { name: /^Language of the texts/ }).click()
  await page.getByRole("menuitemradio", { name: language }).click()
  await page.getByRole("button", { name: `Language of the texts: ${language}` }).waitFor(WAIT)
}

async function createStory(title: string): Promise<{ readonly id: string; readonly stories: any }> {
  const { stories } = (await browser.clientOf("admin")).collections
  const slug = title.toLowerCase().replaceAll(" ", "-")
  const { id } = await stories.create({ title, slug, lead: "What the story is about." })
  return { id, stories }
}

test("what is typed in two languages is kept, and saved by one press", async () => {
  const { id, stories } = await createStory("Two languages")
  const page = await browser.open(`/collections/stories/${id}`, { as: "editor" })
  await textbox(page, "Title").fill("Two languages, one form")

  await turnTo(page, "Slovak")
  expect(new URL(page.url()).search).toBe("?locale=sk")
  await expect.poll(() => textbox(page, "Title").inputValue()).toBe("")
  await textbox(page, "Title").fill("Dva jazyky")
  await textbox(page, "Address").fill("two-languages-one-form")
  await page.getByText("3 unsaved · also in English").first().waitFor(WAIT)
  expect(await lookAt(page, { app: "fixture", name: "languages-unsaved" })).toEqual([])
  await turnTo(page, "English")
  expect(await textbox(page, "Title").inputValue()).toBe("Two languages, one form")
  await save(page).click()

  await page.getByText("Saved", { exact: true }).first().waitFor(WAIT)
  expect(await stories.findOne({ where: { id }, locale: "*" })).toMatchObject({
    title: { en: "Two languages, one form", sk: "Dva jazyky" },
    slug: "two-languages-one-form",
    lead: { en: "What the story is about." },
  })
  await stories.deleteById({ id })
})

test("a missing text shows what readers see in its place, and is not saved unless it is typed", async () => {
  const { id, stories } = await createStory("A missing text")
  const page = await browser.open(`/collections/stories/${id}?locale=sk`, { as: "editor" })
  const lead = textbox(page, "Lead")
  await expect.poll(() => lead.getAttribute("placeholder"), WAIT).toBe("What the story is about.")
  await page.getByText("from English").first().waitFor(WAIT)
  expect(await lead.inputValue()).toBe("")

  await textbox(page, "Title").fill("Chýbajúci text")
  await lead.fill("O čom je.")
  await save(page).click()
  await expect.poll(async () => (await stories.findOne({ where: { id }, locale: "*" })).lead.sk, WAIT).toBe("O čom je.")
  await lead.fill("")
  await save(page).click()

  await expect
    .poll(async () => (await stories.findOne({ where: { id }, locale: "*" })).lead, WAIT)
    .toEqual({ en: "What the story is about." })
  await stories.deleteById({ id })
})

test("a text that somebody else saves in the other language is not overwritten", async () => {
  const { id, stories } = await createStory("Somebody else")
  const page = await browser.open(`/collections/stories/${id}`, { as: "editor" })
  await textbox(page, "Lead").fill("Mine.")
  await turnTo(page, "Slovak")
  await textbox(page, "Title").fill("Niekto iný")

  await stories.updateById({ id, data: { lead: "Theirs." } })
  await save(page).click()

  await page.getByRole("button", { name: "Language of the texts: English" }).waitFor(WAIT)
  const card = page.getByRole("region", { name: "Somebody else has saved this field meanwhile" })
  await card.getByText("Theirs.").waitFor(WAIT)
  expect((await stories.findOne({ where: { id } })).lead).toBe("Theirs.")
  await card.getByRole("button", { name: "Keep mine" }).click()
  await save(page).click()
  await expect.poll(async () => (await stories.findOne({ where: { id } })).lead, WAIT).toBe("Mine.")
  await stories.deleteById({ id })
})

test("a new record is created in the language that is chosen", async () => {
  const { stories } = (await browser.clientOf("admin")).collections
  const page = await browser.open("/collections/stories/new?locale=sk", { as: "editor" })
  await textbox(page, "Title").fill("Nový príbeh")
  await textbox(page, "Address").fill("novy-pribeh")

  await save(page).click()

  await page.waitForURL(/\/stories\/[0-9a-f-]{36}\?locale=sk$/, WAIT)
  const stored = await stories.findOne({ where: { slug: "novy-pribeh" }, locale: "*" })
  expect(stored.title).toEqual({ en: "Nový príbeh", sk: "Nový príbeh" })
  await stories.deleteById({ id: stored.id })
})

test("a text that several people write has a document in each language", async () => {
  const { id, stories } = await createStory("Several people")
  await stories.updateById({ id, data: { remarks: "For editors." } })
  const page = await browser.open(`/collections/stories/${id}?locale=sk`, { as: "editor" })
  await page.getByRole("tab", { name: "Shared" }).click()
  const remarks = textbox(page, "Shared remarks")
  await expect.poll(() => remarks.isEditable(), WAIT).toBe(true)
  await remarks.pressSequentially("Pre redaktorov.")

  await turnTo(page, "English")

  await expect.poll(() => remarks.inputValue(), WAIT).toBe("For editors.")
  await expect
    .poll(async () => (await stories.findOne({ where: { id }, locale: "*" })).remarks, WAIT)
    .toEqual({ en: "For editors.", sk: "Pre redaktorov." })
  await stories.deleteById({ id })
})

test("a global is translated, too", async () => {
  const { site } = (await browser.clientOf("admin")).globals
  const page = await browser.open("/globals/site", { as: "editor" })
  await turnTo(page, "Slovak")
  await textbox(page, "Motto").fill("Pekne po slovensky")

  expect(await lookAt(page, { app: "fixture", name: "languages-global" })).toEqual([])
  await save(page).click()

  await expect
    .poll(async () => (await site.get({ locale: "sk", localeFallback: false })).motto, WAIT)
    .toBe("Pekne po slovensky")
  await site.update({ motto: null }, { locale: "sk" })
})

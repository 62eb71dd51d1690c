import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { clear, enter, isRefused, plain, save } from "./support/form-fields.ts"
import { REFUSED, SPECIMEN_FIELDS, writableBy } from "./support/specimen-fields.ts"
import { useConsole, WAIT } from "./support/use-console.ts"

const OPTIONS = { timezoneId: "UTC", viewport: { width: 1280, height: 1400 } }

const browser = useConsole()
const textbox = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true })
const specimensAsAdmin = async () => (await browser.clientOf("admin")).collections["specimens"]

/** Returns the values of a stored record, by the names of its fields. */
async function storedValues(code: string, names: readonly string[]): Promise<Record<string, unknown>> {
  const record = await (await specimensAsAdmin()).findOne({ where: { code } })
  return Object.fromEntries(names.map((name) => [name, plain(record?.[name])]))
}

describe.each(["admin", "editor", "author"] as const)("the role %s", (role) => {
  test("creates, edits and clears a value of every plain type", async () => {
    const code = `${role.slice(0, 2).toUpperCase()}-4001`
    const fields = writableBy(role)
    const names = fields.map(({ name }) => name)
    const page = await browser.open("/collections/specimens/new", { as: role, ...OPTIONS })

    await textbox(page, "Code").fill(code, WAIT)
    for (const field of fields) await enter(page, field, field.entered[0])
    await save(page)
    const created = await storedValues(code, names)
    for (const field of fields) await enter(page, field, field.entered[1])
    await save(page)
    const edited = await storedValues(code, names)
    const clearable = fields.filter(({ isClearable }) => isClearable)
    for (const field of clearable) await clear(page, field)
    await save(page)
    const cleared = await storedValues(
      code,
      clearable.map(({ name }) => name),
    )

    expect(created).toEqual(Object.fromEntries(fields.map(({ name, stored }) => [name, stored[0]])))
    expect(edited).toEqual(Object.fromEntries(fields.map(({ name, stored }) => [name, stored[1]])))
    expect(Object.values(cleared).filter((value) => value !== null)).toEqual([])
    await (await specimensAsAdmin()).deleteById({ id: page.url().split("/").at(-1) })
  })
})

test("every limit is told before anything is sent, and nothing that breaks one is saved", async () => {
  const page = await browser.open("/collections/specimens/new", { as: "admin", ...OPTIONS })
  await textbox(page, "Code").fill("LI-4100", WAIT)
  await textbox(page, "Name").fill("Limestone")
  const missing: string[] = []

  for (const [label, value, says] of REFUSED) {
    const box = textbox(page, label)
    const before = await box.inputValue()
    await box.fill(value)
    await page.keyboard.press("Tab")
    const isTold = await isRefused(box, says)
    if (!isTold) missing.push(`${label}: ${value.slice(0, 20)}`)
    await box.fill(before)
    await page.keyboard.press("Tab")
  }
  await textbox(page, "Whole number").fill("101")
  await page.getByRole("button", { name: /^Save/ }).click()

  expect(missing).toEqual([])
  await page.getByText(/one thing to mend/i).waitFor(WAIT)
  expect(await (await specimensAsAdmin()).count({ where: { code: "LI-4100" } })).toBe(0)
})

test("a viewer reads every value and can change none", async () => {
  const { id } = await (await specimensAsAdmin()).findOne({ where: { code: "AM-1" } })
  const page = await browser.open(`/collections/specimens/${id}`, { as: "viewer", ...OPTIONS })
  await page.getByRole("heading", { name: "Amber" }).waitFor(WAIT)
  const main = page.getByRole("main")

  for (const role of ["textbox", "checkbox", "radio", "spinbutton", "combobox"] as const) {
    expect(await main.getByRole(role).count(), role).toBe(0)
  }
  expect(await main.getByRole("button", { name: /^Save|^Delete|^Clear/ }).count()).toBe(0)
  await main.getByText("Eva Novak").waitFor(WAIT)
  const shown = (await main.textContent()) ?? ""
  for (const text of ["AM-1", "Found on the shore", "42", "Rare", "Signed", "Dark", "Eva Novak"])
    expect(shown).toContain(text)
  // A rule hides the fee from viewers, and nobody ever sees a hidden field.
  expect(shown).not.toMatch(/Fee|Secret|second drawer/)
})

test("an author edits own records only, and sees what others decide as text", async () => {
  const specimens = await specimensAsAdmin()
  const [theirs, own] = await Promise.all(["AM-1", "BA-2"].map((code) => specimens.findOne({ where: { code } })))
  const foreign = await browser.open(`/collections/specimens/${theirs.id}`, { as: "author", ...OPTIONS })
  await foreign.getByRole("heading", { name: "Amber" }).waitFor(WAIT)

  expect(await foreign.getByRole("main").getByRole("textbox").count()).toBe(0)

  const page = await browser.open(`/collections/specimens/${own.id}`, { as: "author", ...OPTIONS })
  await textbox(page, "Name").waitFor(WAIT)
  expect(await textbox(page, "Grade").count()).toBe(0)
  expect(await page.getByRole("main").textContent()).toContain("Grade")
  expect(await page.getByText("Registered at").count()).toBe(1)
  expect(await textbox(page, "Registered at").count()).toBe(0)
})

test("a field stands in the form only while its condition holds", async () => {
  const page = await browser.open("/collections/specimens/new", { as: "admin", ...OPTIONS })
  const shade = page.getByRole("radiogroup", { name: "Shade" })
  await shade.waitFor(WAIT)
  expect(await page.getByRole("radiogroup", { name: "Finish" }).count()).toBe(0)

  await shade.getByText("Dark").click()
  await page.getByRole("radiogroup", { name: "Finish" }).waitFor(WAIT)
  await shade.getByText("Light").click()

  await page.getByRole("radiogroup", { name: "Finish" }).waitFor({ state: "detached", ...WAIT })
})

test("the table of fields names every plain field that a person can write", async () => {
  const { fields } = await (await specimensAsAdmin()).schema()
  const written = Object.values<{ name: string; readOnly: boolean }>(fields).filter(({ readOnly }) => !readOnly)
  const known = new Set(["code", "owner", "finish", ...SPECIMEN_FIELDS.map(({ name }) => name)])

  expect(written.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
})

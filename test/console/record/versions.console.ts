import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { lookAt } from "../support/look-at.ts"
import { useConsole, WAIT } from "../support/use-console.ts"

const browser = useConsole()
const textbox = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true })
const versionsButton = (page: Page) => page.getByRole("button", { name: "Versions", exact: true })
const drawer = (page: Page) => page.getByRole("dialog")

test("the versions of a record are listed, opened in the layout of its form, and restored", async () => {
  const { specimens } = (await browser.clientOf("editor")).collections
  const { id } = await specimens.create({ name: "Basalt", code: "BA-801", about: "Black." })
  await specimens.updateById({ id, data: { name: "Basalt, polished", about: "Black and smooth." } })
  const page = await browser.open(`/collections/specimens/${id}`, { as: "editor" })

  await versionsButton(page).click()

  const list = drawer(page).getByRole("list", { name: "Versions" })
  await list.getByRole("button").first().waitFor(WAIT)
  const rows = await list.getByRole("button").allInnerTexts()
  expect(rows.map((row) => row.replace(/\s+/g, " "))).toEqual([
    expect.stringMatching(/^2 Changed .*Eva Novak now current$/),
    expect.stringMatching(/^1 Created .*Eva Novak now$/),
  ])
  expect(await lookAt(page, { app: "fixture", name: "versions" })).toEqual([])

  await list.getByRole("button").first().press("ArrowDown")
  await page.keyboard.press("Enter")
  await drawer(page).getByText("Other than now: Name, About").waitFor(WAIT)
  expect(new URL(page.url()).search).toBe("?version=1")
  expect(await drawer(page).getByRole("textbox").count()).toBe(0)
  expect(await lookAt(page, { app: "fixture", name: "version" })).toEqual([])
  await drawer(page).getByRole("button", { name: "Restore this version" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore this version" }).click()

  await drawer(page).waitFor({ state: "detached", ...WAIT })
  await expect.poll(() => textbox(page, "Name").inputValue(), WAIT).toBe("Basalt")
  expect(await textbox(page, "About").inputValue()).toBe("Black.")
  expect(await specimens.findOne({ where: { id } })).toMatchObject({ name: "Basalt", about: "Black.", revision: 3 })
  await versionsButton(page).click()
  await drawer(page).getByText("Restored", { exact: true }).waitFor(WAIT)
  await specimens.deleteById({ id })
})

test("a restore asks before it drops what is not saved, and keeps it if the person goes back", async () => {
  const { specimens } = (await browser.clientOf("editor")).collections
  const { id } = await specimens.create({ name: "Gneiss", code: "GN-802" })
  await specimens.updateById({ id, data: { name: "Gneiss, grey" } })
  const page = await browser.open(`/collections/specimens/${id}`, { as: "editor" })
  await textbox(page, "About").fill("Typed, not saved.")
  await versionsButton(page).click()
  await drawer(page)
    .getByRole("button", { name: /^1 Created/ })
    .click()
  await drawer(page).getByRole("button", { name: "Restore this version" }).click()
  const question = page.getByRole("alertdialog")
  await question.getByText("What you have changed here and not saved is lost.").waitFor(WAIT)
  expect(await lookAt(page, { app: "fixture", name: "version-question" })).toEqual([])

  await question.getByRole("button", { name: "Cancel" }).click()
  await page.keyboard.press("Escape")

  await drawer(page).waitFor({ state: "detached", ...WAIT })
  expect(await textbox(page, "About").inputValue()).toBe("Typed, not saved.")
  expect((await specimens.findOne({ where: { id } })).name).toBe("Gneiss, grey")
  await specimens.deleteById({ id })
})

test("a restore that the app refuses shows its words", async () => {
  const { stories } = (await browser.clientOf("admin")).collections
  const followed = await stories.create({ title: "Followed", slug: "followed-once" })
  const { id } = await stories.create({ title: "Follows", slug: "follows-once", follows: followed.id })
  await stories.updateById({ id, data: { follows: null } })
  await stories.deleteById({ id: followed.id })
  await stories.purgeById({ id: followed.id })
  const page = await browser.open(`/collections/stories/${id}?version=1`, { as: "admin" })

  await drawer(page).getByRole("button", { name: "Restore this version" }).click(WAIT)
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore this version" }).click()

  await drawer(page).getByRole("heading", { name: "It could not be restored" }).waitFor(WAIT)
  await drawer(page).getByText("follows: There is no such record.").waitFor(WAIT)
  expect(await lookAt(page, { app: "fixture", name: "version-refused" })).toEqual([])
  await stories.deleteById({ id })
})

test("a long history is read page by page, and the address leads to any of its versions", async () => {
  const { specimens } = (await browser.clientOf("editor")).collections
  const { id } = await specimens.create({ name: "Slate 1", code: "SL-803" })
  for (let number = 2; number <= 45; number++) await specimens.updateById({ id, data: { name: `Slate ${number}` } })
  const page = await browser.open(`/collections/specimens/${id}?version=3`, { as: "viewer" })
  await drawer(page).getByRole("heading", { name: "Slate 3", exact: true }).waitFor(WAIT)
  expect(await drawer(page).getByRole("button", { name: "Restore this version" }).count()).toBe(0)

  await page.goto(browser.urlOf(`/collections/specimens/${id}?version=all`))
  const list = drawer(page).getByRole("list", { name: "Versions" })
  await list.getByRole("button").first().waitFor(WAIT)
  expect(await list.getByRole("button").count()).toBe(20)
  await drawer(page).getByRole("button", { name: "Show older ones" }).click()
  await expect.poll(() => list.getByRole("button").count()).toBe(40)
  await drawer(page).getByRole("button", { name: "Show older ones" }).click()
  await expect.poll(() => list.getByRole("button").count()).toBe(45)
  expect(await drawer(page).getByRole("button", { name: "Show older ones" }).count()).toBe(0)

  await page.goto(browser.urlOf(`/collections/specimens/${id}?version=99`))
  await drawer(page).getByText("Version 99 is not kept any more").waitFor(WAIT)
  expect(await lookAt(page, { app: "fixture", name: "version-missing" })).toEqual([])
  await specimens.deleteById({ id })
})

test("a global has a history, and a collection without versions has none", async () => {
  const { site } = (await browser.clientOf("admin")).globals
  await site.update({ motto: "Before" })
  await site.update({ motto: "After" })
  const page = await browser.open("/globals/site", { as: "editor" })
  await versionsButton(page).click()
  await drawer(page)
    .getByRole("button", { name: /Changed/ })
    .nth(1)
    .click()
  await drawer(page).getByText("Other than now: Motto").waitFor(WAIT)
  await drawer(page).getByRole("button", { name: "Restore this version" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore this version" }).click()
  await expect.poll(() => textbox(page, "Motto").inputValue(), WAIT).toBe("Before")

  await page.goto(browser.urlOf("/collections/topics"))
  await page.getByRole("row").nth(1).getByRole("link").click(WAIT)
  await textbox(page, "Name").waitFor(WAIT)
  expect(await versionsButton(page).count()).toBe(0)
  await site.update({ motto: null })
})

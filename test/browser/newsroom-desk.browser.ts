import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { card, close, EVA, lane, newArticle, openBoth, storedTexts, textOf, WAIT } from "./support/desk-pages.ts"
import { findingsIn, type NewsroomSite, startNewsroomSite } from "./support/newsroom-site.ts"

let site: NewsroomSite

beforeAll(async () => {
  site = await startNewsroomSite()
})
afterAll(() => site[Symbol.asyncDispose]())

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  test.each([390, 1280])("the desk has no error, no finding of axe and no sideways scroll at %i px", async (width) => {
    const eva = await site.open("/desk", { as: EVA, colorScheme, viewport: { width, height: 900 } })
    await card(eva.page, "What the lake remembers").waitFor()
    await eva.page.getByText("Goes out").waitFor()

    expect(await findingsIn(eva.page)).toEqual([])
    await eva.page.getByRole("button", { name: "New article" }).click()
    expect(await findingsIn(eva.page)).toEqual([])
    await eva.page.getByRole("button", { name: "Cancel", exact: true }).click()
    await eva.page.getByRole("link", { name: "What the lake remembers" }).click()
    await textOf(eva.page).getByText("The mud comes in tubes").waitFor()
    await eva.page.getByText("History").click()
    await eva.page.getByRole("combobox", { name: "Add a tag" }).fill("n")
    await eva.page.getByRole("option", { name: "numbers" }).waitFor()
    expect(await findingsIn(eva.page)).toEqual([])
    expect(eva.complaints).toEqual([])
    await eva.page.context().close()
  })
})

describe("the board", () => {
  test("a card that is moved by its button moves in every window, once, and takes the focus along", async () => {
    const { title } = await newArticle(site, "Handed in")
    const [eva, jonas] = await openBoth(site, "/desk")
    await Promise.all([eva, jonas].map((page) => lane(page, "Draft").getByText(title).waitFor()))
    await noteLanes(jonas, title)

    await jonas.getByRole("button", { name: `Hand in: “${title}”` }).click()

    await lane(eva, "In review").getByText(title).waitFor()
    await jonas.getByRole("status").getByText(`“${title}” is now: In review.`).waitFor()
    expect(await lanesNoted(jonas)).toEqual(["draft", "review"])
    expect(await jonas.evaluate("document.activeElement.textContent")).toBe(title)
    // Only editors publish.
    expect(await jonas.getByRole("button", { name: `Publish: “${title}”` }).count()).toBe(0)
    await eva.getByRole("button", { name: `Publish: “${title}”` }).click()
    await lane(jonas, "Published").getByText(title).waitFor()
    expect(await jonas.getByRole("button", { name: `Withdraw: “${title}”` }).count()).toBe(0)
    await close(eva, jonas)
  })

  test("a card says in every window that its article was changed since it was published, until it is not", async () => {
    const { id, title } = await newArticle(site, "Published", "published")
    const { articles } = (await site.clientOf(EVA)).collections
    const [eva, jonas] = await openBoth(site, "/desk")
    const signs = () => Promise.all([eva, jonas].map((page) => card(page, title).getByText("Changed since").count()))
    await Promise.all([eva, jonas].map((page) => card(page, title).waitFor()))
    expect(await signs()).toEqual([0, 0])

    await articles.updateById({ id, data: { summary: "Corrected." } })
    await expect.poll(signs, WAIT).toEqual([1, 1])
    await articles.updateById({ id, data: { summary: null } })

    await expect.poll(signs, WAIT).toEqual([0, 0])
    await close(eva, jonas)
  })

  test("a card that a colleague moves takes no focus from anything else", async () => {
    const { id, title } = await newArticle(site, "Moved back")
    const { page } = await site.open("/desk", { as: EVA })
    await page.getByRole("button", { name: `Hand in: “${title}”` }).click()
    await page.getByRole("status").getByText(`“${title}” is now: In review.`).waitFor()
    await page.getByRole("link", { name: "All teams" }).focus()

    await (await site.clientOf(EVA)).collections["articles"].transitionStage({ id, stage: "draft" })

    await lane(page, "Draft").getByText(title).waitFor()
    expect(await page.evaluate("document.activeElement.textContent")).toBe("All teams")
    await close(page)
  })

  test("a card is dragged where it may go, and nowhere else", async () => {
    const { title } = await newArticle(site, "Dragged")
    const [eva, jonas] = await openBoth(site, "/desk")
    await card(eva, title).waitFor()

    await card(eva, title).dragTo(lane(eva, "Published"))
    expect(await lane(eva, "Draft").getByText(title).count()).toBe(1)
    await card(eva, title).dragTo(lane(eva, "In review"))

    await Promise.all([eva, jonas].map((page) => lane(page, "In review").getByText(title).waitFor()))
    await close(eva, jonas)
  })

  test("a move that fails is shown as failed, and the card returns", async () => {
    const { title } = await newArticle(site, "Refused")
    const { page } = await site.open("/desk", { as: EVA })
    await card(page, title).waitFor()
    await page.route("**/transition", (route) => route.abort())

    await page.getByRole("button", { name: `Hand in: “${title}”` }).click()

    await page.getByRole("alert").waitFor()
    await lane(page, "Draft").getByText(title).waitFor()
    await page.getByRole("button", { name: "Dismiss" }).click()
    expect(await page.getByRole("alert").count()).toBe(0)
    await close(page)
  })

  test("it shows who is here, by team, and follows a connection that is lost", async () => {
    const [eva, jonas] = await openBoth(site, "/desk?team=sport")
    const names = (page: Page) => page.getByRole("list", { name: "Who is here" }).locator(".unseen").allTextContents()

    for (const page of [eva, jonas])
      await expect.poll(async () => (await names(page)).sort(), WAIT).toEqual(["Eva Novak", "Jonas Berg"])
    await eva.getByRole("link", { name: "Culture" }).last().click()
    await expect.poll(() => names(eva), WAIT).toEqual(["Eva Novak"])
    await eva.getByRole("button", { name: "New article" }).click()
    expect(await eva.getByLabel("Team", { exact: true }).locator("option:checked").textContent()).toBe("Culture")
    await eva.getByRole("button", { name: "Cancel", exact: true }).click()
    await eva.context().setOffline(true)
    await eva.getByText("No connection.").waitFor()
    await eva.context().setOffline(false)
    await eva.getByText("No connection.").waitFor({ state: "detached" })
    await close(eva, jonas)
  })

  test("a new article opens at once, and appears on the board of the team", async () => {
    const [eva, jonas] = await openBoth(site, "/desk?team=sport")
    await eva.getByRole("button", { name: "New article" }).click()
    await eva.getByRole("button", { name: "Start writing" }).click()
    await eva.getByText("Must not be empty.").waitFor()
    await eva.getByRole("textbox", { name: "Title" }).fill("Preteky na ľade")
    await eva.keyboard.press("Enter")

    await expect
      .poll(() => eva.getByLabel("Address", { exact: true }).inputValue(), WAIT)
      .toMatch(/^preteky-na-lade-\w+$/)
    await lane(jonas, "Draft").getByText("Preteky na ľade").waitFor()
    await close(eva, jonas)
  })

  test("a sign-out in another tab closes the desk, and leaves no text on the device", async () => {
    const { page } = await site.open("/desk", { as: EVA })
    await page.getByRole("link", { name: "Seven rivers" }).click()
    await textOf(page).getByText("From the air").waitFor()
    await expect.poll(() => storedTexts(page), WAIT).not.toBe(0)
    const other = await page.context().newPage()
    await other.goto(`${site.origin}/account`)

    await other.getByRole("button", { name: "Sign out" }).click()

    await page.getByText("You are not signed in").waitFor()
    expect(await page.getByText("From the air").count()).toBe(0)
    await expect.poll(() => storedTexts(other), WAIT).toBe(0)
    await close(page)
  })
})

/** Notes the stage in which the page shows an article, whenever the page changes. */
function noteLanes(page: Page, title: string): Promise<unknown> {
  return page.evaluate(`(() => {
    window.lanes = []
    const note = () => {
      const shown = [...document.querySelectorAll(".ticket")].find((card) => card.textContent.includes(${JSON.stringify(title)}))
      const stage = shown?.closest(".lane").dataset.stage ?? "none"
      if (window.lanes.at(-1) !== stage) window.lanes.push(stage)
    }
    note()
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true })
  })()`)
}

function lanesNoted(page: Page): Promise<unknown> {
  return page.evaluate("window.lanes")
}

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { findingsIn, type NewsroomSite, startNewsroomSite } from "./support/newsroom-site.ts"

const EVA = "editor@example.com"
const JONAS = "jonas@example.com"
const WAIT = { timeout: 60_000 }

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
    const { title } = await newArticle("Handed in")
    const [eva, jonas] = await openBoth("/desk")
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

  test("a card is dragged where it may go, and nowhere else", async () => {
    const { title } = await newArticle("Dragged")
    const [eva, jonas] = await openBoth("/desk")
    await card(eva, title).waitFor()

    await card(eva, title).dragTo(lane(eva, "Published"))
    expect(await lane(eva, "Draft").getByText(title).count()).toBe(1)
    await card(eva, title).dragTo(lane(eva, "In review"))

    await Promise.all([eva, jonas].map((page) => lane(page, "In review").getByText(title).waitFor()))
    await close(eva, jonas)
  })

  test("a move that fails is shown as failed, and the card returns", async () => {
    const { title } = await newArticle("Refused")
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
    const [eva, jonas] = await openBoth("/desk?team=sport")
    const names = (page: Page) => page.getByRole("list", { name: "Who is here" }).locator(".unseen").allTextContents()

    for (const page of [eva, jonas])
      await expect.poll(async () => (await names(page)).sort(), WAIT).toEqual(["Eva Novak", "Jonas Berg"])
    await eva.getByRole("link", { name: "Culture" }).last().click()
    await expect.poll(() => names(eva), WAIT).toEqual(["Eva Novak"])
    await eva.context().setOffline(true)
    await eva.getByText("No connection.").waitFor()
    await eva.context().setOffline(false)
    await eva.getByText("No connection.").waitFor({ state: "detached" })
    await close(eva, jonas)
  })

  test("a new article opens at once, and appears on the board of the team", async () => {
    const [eva, jonas] = await openBoth("/desk?team=sport")
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
    expect(await storedTexts(other)).toBe(0)
    await close(page)
  })
})

describe("the form of an article", () => {
  test("problems stand at their fields, nothing is lost, and what is saved appears elsewhere", async () => {
    const { id, title } = await newArticle("Working title")
    const [eva, jonas] = await openBoth("/desk")
    await eva.goto(`${site.origin}/desk/${id}`)
    const address = eva.getByLabel("Address", { exact: true })
    await address.fill("Not an address")
    await eva.getByLabel("Title").fill("")
    await eva.getByRole("button", { name: "Save" }).click()

    await expect.poll(() => address.getAttribute("aria-invalid"), WAIT).toBe("true")
    expect(await eva.getByLabel("Title").getAttribute("aria-invalid")).toBe("true")
    expect(await address.inputValue()).toBe("Not an address")
    await address.fill(`renamed-${id.slice(-6)}`)
    await eva.getByLabel("Title").fill("What it is called")
    await eva.getByRole("button", { name: "Save" }).click()

    await eva.getByText("Everything is saved.").waitFor()
    await card(jonas, "What it is called").waitFor()
    expect(await jonas.getByText(title).count()).toBe(0)
    await close(eva, jonas)
  })

  test("each language has its own texts", async () => {
    const { page } = await site.open("/desk", { as: EVA })
    await page.getByRole("link", { name: "What the lake remembers" }).click()
    await textOf(page).getByText("The mud comes in tubes").waitFor()

    await page.getByRole("radio", { name: "Slovak" }).check()

    await textOf(page).getByText("Bahno prichádza v rúrach").waitFor()
    expect(await page.getByLabel("Title").inputValue()).toBe("Čo si jazero pamätá")
    await page.getByText("In English: What the lake remembers").waitFor()
    // Without a translation, readers get the default language again.
    await page.getByLabel("Title").fill("")
    await page.getByRole("button", { name: "Save" }).click()
    const { collections } = await site.clientOf(EVA)
    const inSlovak = () => collections["articles"].findOne({ where: { slug: "what-the-lake-remembers" }, locale: "sk" })
    await expect.poll(async () => (await inSlovak()).title, WAIT).toBe("What the lake remembers")
    expect(await page.getByLabel("Title").inputValue()).toBe("")
    await close(page)
  })

  test("two people write the text together, and see each other's names and cursors", async () => {
    const { id } = await newArticle("Together")
    const [eva, jonas] = await openBoth(`/desk/${id}`)
    await Promise.all([eva, jonas].map((page) => page.getByText("Saved.", { exact: true }).waitFor()))

    await textOf(eva).click()
    await eva.keyboard.type("The river rises. ")
    await textOf(jonas).getByText("The river rises.").waitFor()
    await textOf(jonas).click()
    await jonas.keyboard.press("Control+End")
    await jonas.keyboard.type("Nobody sleeps.")

    await textOf(eva).getByText("Nobody sleeps.").waitFor()
    await eva.locator(".ProseMirror-yjs-cursor").getByText("Jonas Berg").waitFor()
    const people = eva.getByRole("list", { name: "People in this text" })
    await expect.poll(() => people.getByRole("listitem").count(), WAIT).toBe(2)
    await eva.getByRole("button", { name: "Heading" }).click()
    await textOf(jonas).locator("h2").waitFor()
    await close(eva, jonas)
  })

  test("a cover is uploaded with its progress, can be stopped, and appears in the other window", async () => {
    const { id } = await newArticle("Illustrated")
    const [eva, jonas] = await openBoth(`/desk/${id}`)
    const choose = eva.getByLabel("Choose a picture")
    await choose.waitFor({ state: "attached" })
    const slow = await slowUploads(eva)
    await choose.setInputFiles(picture(2_000_000))
    await eva.getByText(/Uploading, \d+ %/).waitFor()
    await eva.getByRole("button", { name: "Stop" }).click()
    await eva.getByText("Choose a picture").waitFor()
    expect(await eva.getByRole("alert").count()).toBe(0)
    await slow.end()

    await choose.setInputFiles(picture(200))

    await Promise.all([eva, jonas].map((page) => page.locator("img.picture").waitFor()))
    await eva.getByLabel("What the picture shows").fill("One pixel")
    await eva.getByLabel("What the picture shows").blur()
    await jonas.getByRole("img", { name: "One pixel" }).waitFor()
    await choose
      .or(eva.getByLabel("Replace"))
      .setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("no") })
    await eva.getByRole("alert").waitFor()
    await close(eva, jonas)
  })

  test("tags are found, created and removed by the keyboard", async () => {
    const { id } = await newArticle("Tagged")
    const { page } = await site.open(`/desk/${id}`, { as: EVA })
    const tags = page.getByRole("list", { name: "Tags" })
    const input = page.getByRole("combobox", { name: "Add a tag" })

    await input.fill("por")
    await page.getByRole("option", { name: "portrait" }).waitFor()
    await input.press("Enter")
    await tags.getByText("portrait").waitFor()
    await input.fill("Regatta")
    await page.getByRole("option", { name: "Create “regatta”" }).waitFor()
    await input.press("Enter")
    await tags.getByText("regatta").waitFor()
    await page.getByRole("button", { name: "Remove portrait" }).press("Enter")

    await expect.poll(() => tags.getByRole("listitem").count(), WAIT).toBe(1)
    await close(page)
  })

  test("a publication is scheduled, seen by others, cancelled, and done at once instead", async () => {
    const { id, title } = await newArticle("Scheduled", "review")
    const [eva, mina] = await Promise.all([site.open(`/desk/${id}`, { as: EVA }), site.open("/desk", { as: EVA })])
    const [page, board] = [eva.page, mina.page]
    await card(board, title).waitFor()
    await page.getByLabel("Publish at").fill(localTime(-60))
    await page.getByRole("button", { name: "Schedule" }).click()
    await page.getByText("Choose a time in the future.").waitFor()

    await page.getByLabel("Publish at").fill(localTime(24 * 60))
    await page.getByRole("button", { name: "Schedule" }).click()

    await card(board, title).getByText("Goes out").waitFor()
    await page.getByRole("button", { name: "Cancel the schedule" }).click()
    await card(board, title).getByText("Goes out").waitFor({ state: "detached" })
    await page.getByLabel("Publish at").waitFor()
    await page.getByRole("button", { name: "Publish", exact: true }).click()
    await lane(board, "Published").getByText(title).waitFor()
    await page.getByRole("link", { name: "Show it in the paper" }).click()
    await page.getByRole("heading", { name: title }).waitFor()
    await close(page, board)
  })

  test("what was changed since the publication is published again, and an old version restored", async () => {
    const { id, title } = await newArticle("Corrected", "published")
    const { page } = await site.open(`/desk/${id}`, { as: EVA })
    await page.getByText("Published").first().waitFor()
    await page.getByLabel("Title").fill(`${title}, mended`)
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Changed since it was published.").waitFor()

    await page.getByRole("button", { name: "Publish the changes" }).click()

    await page.getByText("Changed since it was published.").waitFor({ state: "detached" })
    await page.getByText("History").click()
    await page.getByRole("button", { name: "Restore version 1" }).click()
    await expect.poll(() => page.getByLabel("Title").inputValue(), WAIT).toBe(title)
    await close(page)
  })
})

const lane = (page: Page, name: string) => page.getByRole("region", { name: new RegExp(`^${name}`) })
const card = (page: Page, title: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) })
const textOf = (page: Page) => page.getByRole("textbox", { name: "Text" })

async function openBoth(path: string): Promise<[Page, Page]> {
  const [eva, jonas] = await Promise.all([site.open(path, { as: EVA }), site.open(path, { as: JONAS })])
  return [eva.page, jonas.page]
}

async function close(...pages: readonly Page[]): Promise<void> {
  await Promise.all(pages.map((page) => page.context().close()))
}

let articles = 0

/** Creates an article of the sports team. */
async function newArticle(name: string, stage: "draft" | "review" | "published" = "draft") {
  const { collections } = await site.clientOf(EVA)
  const team = (await collections["teams"].findOne({ where: { slug: "sport" } })).id
  const author = (await collections["users"].findOne({ where: { email: EVA } })).id
  const [title, slug] = [`${name} ${++articles}`, `test-${articles}`]
  const { id }: { id: string } = await collections["articles"].create({ title, slug, team, author })
  if (stage !== "draft") await collections["articles"].transitionStage({ id, stage: "review" })
  if (stage === "published") await collections["articles"].transitionStage({ id, stage })
  return { id, title }
}

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

/** Resolves to the number of values that the page has stored in IndexedDB. */
function storedTexts(page: Page): Promise<unknown> {
  return page.evaluate(`(async () => {
    const resultOf = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    let stored = 0
    for (const { name } of await indexedDB.databases()) {
      const database = await resultOf(indexedDB.open(name))
      for (const store of database.objectStoreNames)
        stored += await resultOf(database.transaction(store).objectStore(store).count())
      database.close()
    }
    return stored
  })()`)
}

/** A GIF of one pixel, with this many bytes. */
function picture(bytes: number) {
  const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")
  return {
    name: "pixel.gif",
    mimeType: "image/gif",
    buffer: Buffer.concat([pixel, Buffer.alloc(bytes - pixel.length)]),
  }
}

/** Makes uploads of the page as slow as on a poor connection. */
async function slowUploads(page: Page) {
  const session = await page.context().newCDPSession(page)
  const limit = (uploadThroughput: number) =>
    session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await session.send("Network.enable")
  await limit(50_000)
  return { end: () => limit(-1) }
}

/** The time in this many minutes, as a control for local times takes it. */
function localTime(minutes: number): string {
  const at = new Date(Date.now() + minutes * 60_000)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

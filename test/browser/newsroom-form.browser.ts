import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { card, close, EVA, lane, newArticle, openBoth, textOf, WAIT } from "./support/desk-pages.ts"
import { type NewsroomSite, startNewsroomSite } from "./support/newsroom-site.ts"

let site: NewsroomSite

beforeAll(async () => {
  site = await startNewsroomSite()
})
afterAll(() => site[Symbol.asyncDispose]())

test("problems stand at their fields, nothing is lost, and what is saved appears elsewhere", async () => {
  const { id, title } = await newArticle(site, "Working title")
  const [eva, jonas] = await openBoth(site, "/desk")
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
  const where = { slug: "what-the-lake-remembers" }
  const inSlovak = () => collections["articles"].findOne({ where, stage: "draft", locale: "sk" })
  await expect.poll(async () => (await inSlovak()).title, WAIT).toBe("What the lake remembers")
  expect(await page.getByLabel("Title").inputValue()).toBe("")
  await close(page)
})

test("what was typed survives a look at the other language, and is not called saved before it is", async () => {
  const { id } = await newArticle(site, "Half done")
  const { page } = await site.open(`/desk/${id}`, { as: EVA })
  await page.getByLabel("Title").fill("Typed in English")

  await page.getByRole("radio", { name: "Slovak" }).check()
  await expect.poll(() => page.getByLabel("Title").inputValue(), WAIT).toBe("")
  await page.getByRole("radio", { name: "English" }).check()
  await expect.poll(() => page.getByLabel("Title").inputValue(), WAIT).toBe("Typed in English")
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(`**/api/articles/${id}?*`, async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByText("Saving…").first().waitFor()
  expect(await page.getByText("Everything is saved.").count()).toBe(0)
  release()
  await page.getByText("Everything is saved.").waitFor()
  await close(page)
})

test("the text stays open when the page changes its language, and can be left with the cursor in it", async () => {
  const { id, title } = await newArticle(site, "Left behind")
  const { page, complaints } = await site.open(`/desk/${id}`, { as: EVA })
  await page.getByText("Saved.", { exact: true }).waitFor()
  await textOf(page).click()
  await page.keyboard.type("Half a sen")
  await page.evaluate("window.text = document.querySelector('.ProseMirror')")

  await page.getByRole("radio", { name: "SK", exact: true }).check()
  await page.getByText("Uložené.", { exact: true }).waitFor()
  expect(await page.evaluate("document.querySelector('.ProseMirror') === window.text")).toBe(true)
  expect(await page.title()).toBe(`${title} · The Newsroom`)
  await page.getByRole("radio", { name: "EN", exact: true }).check()
  await textOf(page).click()
  await page.getByRole("link", { name: "Back to the board" }).click()
  await card(page, title).waitFor()

  expect(await page.title()).toBe("Desk · The Newsroom")
  expect(complaints).toEqual([])
  await close(page)
})

test("a sign-out that fails leaves the edits that wait on the device", async () => {
  const { id } = await newArticle(site, "Kept")
  const { page } = await site.open(`/desk/${id}`, { as: EVA })
  await page.getByText("Saved.", { exact: true }).waitFor()
  await page.route("**/api/**", (route) => route.abort())
  await textOf(page).click()
  await page.keyboard.type("Written without a server.")
  await page.getByRole("link", { name: "Eva Novak" }).click()
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("alert").waitFor()

  await page.unroute("**/api/**")
  await page.goBack()

  await textOf(page).getByText("Written without a server.").waitFor()
  await close(page)
})

test("two people write the text together, and see each other's names and cursors", async () => {
  const { id } = await newArticle(site, "Together")
  const [eva, jonas] = await openBoth(site, `/desk/${id}`)
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
  const { id } = await newArticle(site, "Illustrated")
  const [eva, jonas] = await openBoth(site, `/desk/${id}`)
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
  const alt = eva.getByLabel("What the picture shows")
  await alt.focus()
  await noteValues(eva)
  await alt.fill("One pixel")
  await alt.blur()
  await Promise.all([eva, jonas].map((page) => page.getByRole("img", { name: "One pixel" }).waitFor()))
  expect(await eva.evaluate("window.values")).toEqual(["", "One pixel"])
  await choose
    .or(eva.getByLabel("Replace"))
    .setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("no") })
  await eva.getByRole("alert").waitFor()
  await close(eva, jonas)
})

test("tags are found, created and removed by the keyboard", async () => {
  const { id } = await newArticle(site, "Tagged")
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
  // Enter may come before the suggestions.
  await input.pressSequentially("archive")
  await input.press("Enter")

  await tags.getByText("archive").waitFor()
  await close(page)
})

test("a publication is scheduled, seen by others, cancelled, and done at once instead", async () => {
  const { id, title } = await newArticle(site, "Scheduled", "review")
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

test("a schedule is shown by the page that made it, even if the colleagues cannot be notified", async () => {
  const { id } = await newArticle(site, "Unannounced", "review")
  const { page, complaints } = await site.open(`/desk/${id}`, { as: EVA })
  await page.route("**/channels/publish", (route) => route.abort())

  await page.getByLabel("Publish at").fill("2099-01-01T10:00")
  await page.getByRole("button", { name: "Schedule" }).click()

  await page.getByText("Goes out Jan 1, 2099").waitFor()
  // The request that was aborted is an error of the console by itself.
  expect(complaints.filter((text) => !text.includes("net::ERR_FAILED"))).toEqual([])
  await close(page)
})

test("what was changed since the publication is published again, and an old version restored", async () => {
  const { id, title } = await newArticle(site, "Corrected", "published")
  const { page } = await site.open(`/desk/${id}`, { as: EVA })
  await page.getByText("Published").first().waitFor()
  await page.getByLabel("Title").fill(`${title}, mended`)
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByText("Changed since published").waitFor()

  await page.getByRole("button", { name: "Publish the changes" }).click()

  await page.getByText("Changed since published").waitFor({ state: "detached" })
  await page.getByText("History").click()
  await page.getByRole("button", { name: "Restore version 1" }).click()
  await expect.poll(() => page.getByLabel("Title").inputValue(), WAIT).toBe(title)
  await close(page)
})

/** Notes the values that the focused field shows, frame by frame. */
function noteValues(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const field = document.activeElement
    window.values = []
    const note = () => {
      if (window.values.at(-1) !== field.value) window.values.push(field.value)
      requestAnimationFrame(note)
    }
    note()
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

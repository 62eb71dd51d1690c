import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import type { RichText } from "kit/client"
import { type TestApp, testApp } from "kit/testing"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Chromium, startChromium } from "./support/chromium.ts"
import { buildEditorPage } from "./support/editor-page.ts"

const PASSWORD = "newsroom"
const WAIT = { timeout: 60_000 }
const SELECT_ALL = "Control+a"
const UNDO = "Control+z"

let app: TestApp
let chromium: Chromium
let editorPage: string
let team: string
let author: string

// The types of the example belong to a separate program.
const records = (): Record<string, any> => app.system.collections

beforeAll(async () => {
  app = await testApp({ root: resolve("examples/newsroom") })
  team = (await records()["teams"].create({ name: "Sport", slug: "sport" })).id
  for (const name of ["Eva Novak", "Jonas Berg", "Rita Reader"]) {
    const user = await app.app.users.create({ name, email: addressOf(name), password: PASSWORD })
    author = user.id
    // Once an article is published, only editors may change it.
    const role = name === "Rita Reader" ? "writer" : "editor"
    await records()["memberships"].create({ team, user: user.id, role })
  }
  editorPage = await buildEditorPage()
  chromium = await startChromium()
})
afterAll(async () => {
  await chromium[Symbol.asyncDispose]()
  await app.stop()
})

test("two people type into the same paragraph at the same time, and see each other's text, name and cursor", async () => {
  const id = await createArticle("The river rises.")
  const [eva, jonas] = await Promise.all([openArticle("Eva Novak", id), openArticle("Jonas Berg", id)])

  await placeCursor(eva, "Home")
  await placeCursor(jonas, "End")
  await Promise.all([typeSlowly(eva, "Every spring, "), typeSlowly(jonas, " Nobody sleeps.")])

  await bothShow([eva, jonas], "Every spring, The river rises. Nobody sleeps.")
  await expect.poll(() => cursorsIn(eva), WAIT).toEqual(["Jonas Berg"])
  await expect.poll(() => cursorsIn(jonas), WAIT).toEqual(["Eva Novak"])
  expect(
    await eva.getByRole("list", { name: "People in this article" }).getByRole("listitem").allTextContents(),
  ).toEqual(expect.arrayContaining(["Eva Novak", "Jonas Berg"]))
  await expect.poll(() => textOfRecord(id), WAIT).toBe("Every spring, The river rises. Nobody sleeps.")
  await close(eva, jonas)
})

test("text that was typed without a connection is merged on return", async () => {
  const id = await createArticle("Middle.")
  const [eva, jonas] = await Promise.all([openArticle("Eva Novak", id), openArticle("Jonas Berg", id)])

  await eva.context().setOffline(true)
  await placeCursor(eva, "Home")
  await eva.keyboard.type("Away. ")
  await placeCursor(jonas, "End")
  await jonas.keyboard.type(" Here.")
  await eva.getByRole("status").getByText("kept on this device").waitFor()
  expect(await textIn(jonas)).toBe("Middle. Here.")
  await eva.context().setOffline(false)

  await bothShow([eva, jonas], "Away. Middle. Here.")
  await close(eva, jonas)
})

test("text that was not sent survives the crash of its tab, and is shown without a connection", async () => {
  const id = await createArticle("Kept.")
  const [eva, jonas] = await Promise.all([openArticle("Eva Novak", id), openArticle("Jonas Berg", id)])

  await eva.context().setOffline(true)
  await eva.getByRole("status").getByText("Offline.").waitFor()
  await placeCursor(eva, "End")
  await eva.keyboard.type(" Unsent.")
  await expect.poll(async () => (await storedUpdates(eva)).filter(isUnsent).length, WAIT).toBe(" Unsent.".length)
  const restored = await eva.context().newPage()
  await crash(eva)
  await restored.goto(`${app.url}/editor#${id}.en`)
  await expect.poll(() => textIn(restored), WAIT).toBe("Kept. Unsent.")
  await restored.getByRole("status").getByText("Offline.").waitFor()
  expect(await textIn(jonas)).toBe("Kept.")
  await restored.context().setOffline(false)

  await bothShow([restored, jonas], "Kept. Unsent.")
  await close(restored, jonas)
})

test("a reload without a connection shows the article as it was", async () => {
  const id = await createArticle("Loaded.")
  const eva = await openArticle("Eva Novak", id)
  await eva.context().setOffline(true)
  await placeCursor(eva, "End")
  await eva.keyboard.type(" Again.")

  await eva.reload()

  await expect.poll(() => textIn(eva), WAIT).toBe("Loaded. Again.")
  await eva.getByRole("status").getByText("Offline.").waitFor()
  await close(eva)
})

test("undo takes back what the user did, and nothing of the others", async () => {
  const id = await createArticle("Start.")
  const [eva, jonas] = await Promise.all([openArticle("Eva Novak", id), openArticle("Jonas Berg", id)])
  await placeCursor(eva, "Home")
  await eva.keyboard.type("Eva ")
  await bothShow([eva, jonas], "Eva Start.")
  await placeCursor(jonas, "End")
  await jonas.keyboard.type(" Jonas")
  await bothShow([eva, jonas], "Eva Start. Jonas")

  await eva.keyboard.press(UNDO)

  await bothShow([eva, jonas], "Start. Jonas")
  await close(eva, jonas)
})

test("a colleague who may only read sees what others type, and cannot type", async () => {
  const id = await createArticle("Public.")
  const [eva, rita] = await Promise.all([openArticle("Eva Novak", id), openArticle("Rita Reader", id)])

  await placeCursor(eva, "End")
  await eva.keyboard.type(" Changed.")
  await bothShow([eva, rita], "Public. Changed.")
  await rita.locator(".ProseMirror").click()
  await rita.keyboard.type("Mine.")

  expect(await rita.locator(".ProseMirror").getAttribute("contenteditable")).toBe("false")
  await rita.getByRole("status").getByText("you may not edit it").waitFor()
  expect([await textIn(rita), await textIn(eva)]).toEqual(["Public. Changed.", "Public. Changed."])
  await close(eva, rita)
})

test("a plain update arrives in open editors as an edit", async () => {
  const id = await createArticle("One small word.")
  const eva = await openArticle("Eva Novak", id)
  await placeCursor(eva, "Home")
  await eva.keyboard.type("Here: ")
  await expect.poll(() => textOfRecord(id), WAIT).toBe("Here: One small word.")

  await records()["articles"].updateById({ id, data: { body: richText("Here: One big word.") } })

  await expect.poll(() => textIn(eva), WAIT).toBe("Here: One big word.")
  await eva.keyboard.type("now ")
  await expect.poll(() => textOfRecord(id), WAIT).toBe("Here: now One big word.")
  await close(eva)
})

test("a list that the API has written is still there after the article was shown and edited", async () => {
  const item = { type: "list_item", content: richText("Milk").content }
  const cell = { type: "table_cell", attrs: { colspan: 1, rowspan: 1 }, content: richText("Cell").content }
  const table = { type: "table", content: [{ type: "table_row", content: [cell] }] }
  const content = [...richText("Buy:").content, { type: "bullet_list", content: [item] }, table]
  const id = await createArticle("Buy:")
  await records()["articles"].updateById({ id, data: { body: { type: "doc", content } } })
  const eva = await openArticle("Eva Novak", id)

  await expect.poll(() => eva.locator(".ProseMirror li").allTextContents(), WAIT).toEqual(["Milk"])
  await eva.locator(".ProseMirror > p").first().click()
  await eva.keyboard.press("End")
  await eva.keyboard.type(" soon")

  const body = async () => (await records()["articles"].findOne({ where: { id }, locale: "en" })).body.content
  await expect.poll(body, WAIT).toEqual([...richText("Buy: soon").content, ...content.slice(1)])
  await close(eva)
})

test("an article with something that the editor does not know is read-only, loses nothing, and says why", async () => {
  const id = await createArticle("Known.")
  const callout = { type: "callout", content: richText("Unknown.").content }
  const body = { type: "doc", content: [...richText("Known.").content, callout] }
  await writeUnchecked(id, body)

  const eva = await openArticle("Eva Novak", id, 'does not know the node "callout"')

  expect(await eva.locator(".ProseMirror").getAttribute("contenteditable")).toBe("false")
  expect((await records()["articles"].findOne({ where: { id }, locale: "en" })).body).toEqual(body)
  await close(eva)
})

test("the two languages of an article are two documents", async () => {
  const id = await createArticle("English.")
  const eva = await openArticle("Eva Novak", id)

  await eva.getByLabel("Language").selectOption("sk")
  await eva.getByRole("status").getByText("Saved.").waitFor()
  await placeCursor(eva, SELECT_ALL)
  await eva.keyboard.type("Po slovensky.")

  await expect.poll(() => textOfRecord(id, "sk"), WAIT).toBe("Po slovensky.")
  expect(await textOfRecord(id)).toBe("English.")
  await close(eva)
})

test("the page has no error and no finding of axe, with people in the article", async () => {
  const id = await createArticle("Plain.")
  const [eva, jonas] = await Promise.all([openArticle("Eva Novak", id), openArticle("Jonas Berg", id)])
  const errors: string[] = []
  eva.on("console", (message) => message.type() === "error" && errors.push(message.text()))
  eva.on("pageerror", (error) => errors.push(String(error)))
  await placeCursor(jonas, "End")
  await jonas.keyboard.type(" More.")
  await expect.poll(() => cursorsIn(eva), WAIT).toEqual(["Jonas Berg"])

  await eva.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"))
  const findings = await eva.evaluate("axe.run().then(({ violations }) => violations.map(({ id }) => id))")

  expect([findings, errors]).toEqual([[], []])
  await close(eva, jonas)
})

test("signing out deletes what the browser has stored", async () => {
  const id = await createArticle("Secret.")
  const eva = await openArticle("Eva Novak", id)
  await placeCursor(eva, "End")
  await eva.keyboard.type(" More.")
  await expect.poll(() => storedUpdates(eva), WAIT).not.toEqual([])

  await eva.getByRole("button", { name: "Sign out" }).click()
  await eva.getByRole("button", { name: "Sign in" }).waitFor()

  expect(await storedUpdates(eva)).toEqual([])
  await close(eva)
})

function addressOf(name: string): string {
  return `${name.split(" ")[0]?.toLowerCase()}@example.com`
}

function richText(text: string) {
  return { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] }
}

let articles = 0

/** Creates a published article; returns its id. */
async function createArticle(text: string): Promise<string> {
  articles += 1
  const article = { title: `Article ${articles}`, slug: `article-${articles}`, team, author }
  const { id } = await records()["articles"].create({ ...article, body: richText(text) })
  await records()["articles"].transitionStage({ id, stage: "review" })
  await records()["articles"].transitionStage({ id, stage: "published" })
  return id
}

/** Stores a body as an older version of the app would have done, which had other nodes. */
async function writeUnchecked(id: string, body: object): Promise<void> {
  const sql = "update articles set body = jsonb_build_object('en', $2::jsonb) where id = $1"
  await app.query(sql, [id, JSON.stringify(body)])
}

/** Opens the article in a window of its own, in which this person is signed in. */
async function openArticle(name: string, id: string, state = stateFor(name)): Promise<Page> {
  const context = await chromium.browser.newContext()
  // The page comes from the test, also without a connection, as from a service worker.
  await context.route("**/editor", (route) => route.fulfill({ contentType: "text/html", body: editorPage }))
  const page = await context.newPage()
  await page.goto(`${app.url}/editor`)
  await page.getByLabel("Email").fill(addressOf(name))
  await page.getByLabel("Password").fill(PASSWORD)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("button", { name: "Sign out" }).waitFor()
  await page.goto(`${app.url}/editor#${id}.en`)
  await page.getByRole("status").getByText(state).waitFor()
  return page
}

function stateFor(name: string): string {
  return name === "Rita Reader" ? "you may not edit it" : "Saved."
}

async function close(...pages: readonly Page[]): Promise<void> {
  await Promise.all(pages.map((page) => page.context().close()))
}

async function placeCursor(page: Page, key: string): Promise<void> {
  await page.locator(".ProseMirror").click()
  await page.keyboard.press(key)
}

/** Types as people do, so that the edits of two windows meet. */
async function typeSlowly(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text, { delay: 15 })
}

async function bothShow(pages: readonly Page[], text: string): Promise<void> {
  await expect.poll(() => Promise.all(pages.map(textIn)), WAIT).toEqual(pages.map(() => text))
}

/** Returns the text in the editor, without the names at the cursors. */
function textIn(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const copy = document.querySelector(".ProseMirror").cloneNode(true)
    for (const cursor of copy.querySelectorAll(".ProseMirror-yjs-cursor, .ProseMirror-separator")) cursor.remove()
    return [...copy.children].map((paragraph) => paragraph.textContent).join("\\n")
  })()`)
}

function cursorsIn(page: Page): Promise<readonly string[]> {
  return page.locator(".ProseMirror-yjs-cursor > div").allTextContents()
}

/** Returns the text in the body of the record's working copy. */
async function textOfRecord(id: string, locale = "en"): Promise<string> {
  const { body }: { body: RichText } = await records()["articles"].findOne({ where: { id }, locale })
  return body.content.map(({ content = [] }) => content.map(({ text = "" }) => text).join("")).join("\n")
}

/** Ends the process of a tab, which has no time for a last request, and closes the tab. */
async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash")
  page.goto("chrome://crash").catch(() => undefined)
  await crashed
  await page.close()
}

/** An update of a document in the page's IndexedDB. */
interface StoredUpdate {
  readonly isAcknowledged: boolean
}

function isUnsent({ isAcknowledged }: StoredUpdate): boolean {
  return !isAcknowledged
}

/** Returns everything that the page has stored in IndexedDB. */
function storedUpdates(page: Page): Promise<readonly StoredUpdate[]> {
  return page.evaluate(`(async () => {
    const resultOf = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const found = []
    for (const { name } of await indexedDB.databases()) {
      const database = await resultOf(indexedDB.open(name))
      for (const store of database.objectStoreNames)
        found.push(...await resultOf(database.transaction(store).objectStore(store).getAll()))
      database.close()
    }
    return found.map(({ isAcknowledged }) => ({ isAcknowledged }))
  })()`)
}

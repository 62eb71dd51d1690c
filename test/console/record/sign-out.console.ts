import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { lookAt } from "../support/look-at.ts"
import { emailOf, PASSWORD } from "../support/people.ts"
import { fillSignIn, useConsole, WAIT } from "../support/use-console.ts"

// A session of its own: signing out ends it.
const browser = useConsole()

async function openNotes(id: string): Promise<Page> {
  const page = await browser.open(`/collections/stories/${id}`, { expected: /crdt.*|Failed to load/ })
  await fillSignIn(page, { email: emailOf("editor"), password: PASSWORD })
  await page.getByRole("tab", { name: "Shared" }).click(WAIT)
  await expect.poll(() => notesOf(page).isEditable(), WAIT).toBe(true)
  return page
}

const notesOf = (page: Page) => page.getByRole("textbox", { name: "Shared notes", exact: true })

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /Eva Novak/ }).click()
  await page.getByRole("menuitem", { name: "Sign out" }).click()
}

/** Counts the parts of shared texts that the browser has stored. */
function storedParts(page: Page): Promise<unknown> {
  return page.evaluate(`(async () => {
    const counts = (await indexedDB.databases()).map(({ name }) => new Promise((resolve, reject) => {
      const request = indexedDB.open(name)
      request.onerror = reject
      request.onsuccess = () => {
        const database = request.result
        const names = [...database.objectStoreNames]
        if (names.length === 0) return resolve(0)
        const count = database.transaction(names).objectStore(names[0]).count()
        count.onsuccess = () => { database.close(); resolve(count.result) }
      }
    }))
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  })()`)
}

test("signing out removes the copies of shared texts from the browser", async () => {
  const { stories } = (await browser.clientOf("admin")).collections
  const { id } = await stories.create({ title: "Shared, then gone", slug: "shared-then-gone" })
  const page = await openNotes(id)
  await notesOf(page).pressSequentially("For those who are here.")
  await expect.poll(async () => (await stories.findOne({ where: { id } })).notes, WAIT).toBe("For those who are here.")
  await expect.poll(() => storedParts(page), WAIT).toBeGreaterThan(0)

  await signOut(page)

  await page.getByRole("button", { name: "Sign in" }).waitFor(WAIT)
  await expect.poll(() => storedParts(page), WAIT).toBe(0)
  await stories.deleteById({ id })
})

test("signing out asks first if a shared text has edits that are not sent", async () => {
  const { stories } = (await browser.clientOf("admin")).collections
  const { id } = await stories.create({ title: "Not sent", slug: "not-sent" })
  const page = await openNotes(id)
  await page.route(/\/api\/crdt\//, (route) => route.abort())
  await notesOf(page).pressSequentially("Only here.")

  await signOut(page)

  const question = page.getByRole("alertdialog", { name: "Sign out and lose what is not sent?" })
  await question.waitFor(WAIT)
  expect(await lookAt(page, { app: "fixture", name: "sign-out-unsent" })).toEqual([])
  await question.getByRole("button", { name: "Cancel" }).click()
  expect(await notesOf(page).inputValue()).toBe("Only here.")
  await signOut(page)
  await question.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("button", { name: "Sign in" }).waitFor(WAIT)
  await expect.poll(() => storedParts(page), WAIT).toBe(0)
  await stories.deleteById({ id })
})

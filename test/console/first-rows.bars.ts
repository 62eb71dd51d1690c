import type { Page, Request } from "playwright-core"
import { expect, inject, test } from "vitest"
import { leastOfFive, PageThread } from "./support/page-thread.ts"
import { useConsole, WAIT } from "./support/use-console.ts"

const REQUESTS = 9
/** Compressed, without fonts: the budget of the first list. */
const LIST_BYTES = 230_000
const SIGN_IN_BYTES = 100_000
const CPU_RATIO = 3

const browser = useConsole()
const origin = inject("consoleOrigin")

interface Load {
  readonly requests: readonly Request[]
  /** The bytes of scripts and styles, as they were sent. */
  readonly bytes: number
}

/** Opens a page in a browser that has nothing stored but a session, and waits until it shows what is waited for. */
async function load(page: Page, path: string, shows: (page: Page) => Promise<unknown>): Promise<Load> {
  const requests: Request[] = []
  page.on("request", (request) => requests.push(request))
  await page.goto(browser.urlOf(path))
  await shows(page)
  const bytes = await page.evaluate<number>(`
    performance.getEntriesByType("resource")
      .filter(({ name }) => /\\.(?:js|css)$/.test(name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  `)
  return { requests: [...requests], bytes }
}

const showsRows = (page: Page) => page.getByRole("row").filter({ hasText: "Amber" }).first().waitFor(WAIT)
const showsSignIn = (page: Page) => page.getByRole("button", { name: "Sign in" }).waitFor(WAIT)
const isData = (request: Request) => request.url().startsWith(`${origin}/api/`)

test("the first rows need at most nine requests", async () => {
  const page = await browser.openEmpty({ as: "admin" })

  const { requests } = await load(page, "/collections/specimens", showsRows)

  // Fonts are loaded after the first rows.
  const needed = requests.filter((request) => request.resourceType() !== "font" && !request.url().startsWith("data:"))
  expect(needed.map((request) => request.url().replace(origin, "")).slice(REQUESTS)).toEqual([])
})

test("the first rows need the bytes of their budget", async () => {
  const page = await browser.openEmpty({ as: "admin" })

  const { bytes } = await load(page, "/collections/specimens", showsRows)

  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(LIST_BYTES)
})

test("the sign-in needs the bytes of its budget", async () => {
  const page = await browser.openEmpty()

  const { bytes } = await load(page, "/", showsSignIn)

  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(SIGN_IN_BYTES)
})

test("the first rows come before the total is asked for, and without waiting for each other's answers", async () => {
  const page = await browser.openEmpty({ as: "admin" })
  const asked: string[] = []
  page.on("request", (request) => {
    if (isData(request)) asked.push(`${request.url()} ${request.postData() ?? ""}`)
  })

  await page.goto(browser.urlOf("/collections/specimens"))
  await showsRows(page)

  const counts = asked.filter((text) => /\/count|"count"|"total":true/.test(text))
  const rows = asked.findIndex((text) => /specimens/.test(text) && /"total":false|total=false/.test(text))
  expect(rows).toBeGreaterThanOrEqual(0)
  for (const text of counts) expect(asked.indexOf(text)).toBeGreaterThan(rows)
})

test("showing the first rows costs the page's thread at most three times of a bare page with the same JSON", async () => {
  const probe = await browser.openEmpty({ as: "admin" })
  const { requests } = await load(probe, "/collections/specimens", showsRows)
  const urls = requests
    .filter((request) => isData(request) && request.method() === "GET")
    .map((request) => request.url())
  // The rows themselves come on a stream of live results. A bare page reads them, and who has signed in.
  const sameData = [...urls, `${origin}/api/specimens?limit=100&total=false`, `${origin}/api/auth/get-session`]

  const console = await leastOfFive(async () => {
    const page = await browser.openEmpty({ as: "admin" })
    const thread = await PageThread.of(page)
    const seconds = await thread.during(() => load(page, "/collections/specimens", showsRows))
    await page.context().close()
    return seconds
  })
  const bare = await leastOfFive(async () => {
    const page = await browser.openEmpty({ as: "admin" })
    await page.route(`${origin}/bare`, (route) => route.fulfill({ contentType: "text/html", body: barePage(sameData) }))
    const thread = await PageThread.of(page)
    const seconds = await thread.during(async () => {
      await page.goto(`${origin}/bare`)
      await page.getByText("Amber").first().waitFor(WAIT)
    })
    await page.context().close()
    return seconds
  })

  expect(console / bare, `${console} s against ${bare} s`).toBeLessThanOrEqual(CPU_RATIO)
})

/** A page that reads these addresses, and shows the JSON as text. */
function barePage(urls: readonly string[]): string {
  return `<!doctype html><meta charset="utf-8"><script type="module">
    const read = async (url) => (await fetch(url)).json()
    for (const json of await Promise.all(${JSON.stringify(urls)}.map(read))) {
      const line = document.createElement("p")
      line.textContent = JSON.stringify(json)
      document.body.append(line)
    }
  </script>`
}

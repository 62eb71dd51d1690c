import type { Page, Request } from "playwright-core"
import { expect, inject, test } from "vitest"
import { leastOfFive, PageThread } from "./support/page-thread.ts"
import { useConsole } from "./support/use-console.ts"

const REQUESTS = 9
/** Compressed, without fonts: the budget of the first list. */
const LIST_BYTES = 230_000
const SIGN_IN_BYTES = 100_000
/** The ratio that is held: docs/decisions/0053-cost-of-the-console.md. */
const CPU_RATIO = 9

const browser = useConsole()
const origin = inject("consoleOrigin")

const LIST = "/collections/specimens"
/** A text of the first rows. */
const ROW = "Amber"

interface Load {
  readonly requests: readonly Request[]
  /** The bytes of scripts and styles, as they were sent. */
  readonly bytes: number
}

/** Opens a page in a browser that has nothing stored but a session, and waits until it shows a text. */
async function load(page: Page, path: string, text: string): Promise<Load> {
  const requests: Request[] = []
  // The sign-in has kept that the browser has the font. The page says when the text is there; the test would learn it later.
  await page.addInitScript(`
    localStorage.clear()
    new MutationObserver((_, observer) => {
      if (!document.body?.textContent.includes(${JSON.stringify(text)})) return
      observer.disconnect()
      requestAnimationFrame(() => performance.mark("shown"))
    }).observe(document, { childList: true, subtree: true, characterData: true })
  `)
  page.on("request", (request) => requests.push(request))
  await page.goto(browser.urlOf(path))
  const shownAt = await page.evaluate<number>(`
    new Promise((resolve) => {
      const find = (list) => {
        const [mark] = list.getEntriesByName("shown")
        if (mark) resolve(performance.timeOrigin + mark.startTime)
      }
      new PerformanceObserver(find).observe({ type: "mark", buffered: true })
    })
  `)
  const sent = [...requests]
  // The time of a request is known with its response.
  await Promise.all(sent.map((request) => request.response()))
  const bytes = await page.evaluate<number>(`
    performance.getEntriesByType("resource")
      .filter(({ name }) => /\\.(?:js|css)$/.test(name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  `)
  return { requests: sent.filter((request) => request.timing().startTime < shownAt), bytes }
}

const isData = (request: Request) => request.url().startsWith(`${origin}/api/`)

test("the first rows need at most nine requests", async () => {
  const page = await browser.openEmpty({ as: "admin" })

  const { requests } = await load(page, LIST, ROW)

  const sent = requests.map((request) => request.url()).filter((url) => !url.startsWith("data:"))
  expect(sent.map((url) => url.replace(origin, "")).slice(REQUESTS)).toEqual([])
})

test("the first rows need the bytes of their budget", async () => {
  const page = await browser.openEmpty({ as: "admin" })

  const { bytes } = await load(page, LIST, ROW)

  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(LIST_BYTES)
})

test("the sign-in needs the bytes of its budget", async () => {
  const page = await browser.openEmpty()

  const { bytes } = await load(page, "/", "Sign in")

  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(SIGN_IN_BYTES)
})

test("the first rows come before the total is asked for, and without waiting for each other's answers", async () => {
  const page = await browser.openEmpty({ as: "admin" })
  const asked: string[] = []
  page.on("request", (request) => {
    if (isData(request)) asked.push(`${request.url()} ${request.postData() ?? ""}`)
  })

  await load(page, LIST, ROW)

  const counts = asked.filter((text) => /\/count|"count"|"total":true/.test(text))
  const rows = asked.findIndex((text) => /specimens/.test(text) && /"total":false|total=false/.test(text))
  expect(rows).toBeGreaterThanOrEqual(0)
  for (const text of counts) expect(asked.indexOf(text)).toBeGreaterThan(rows)
})

test("showing the first rows costs the page's thread a small multiple of a bare page with the same JSON", async () => {
  const probe = await browser.openEmpty({ as: "admin" })
  const { requests } = await load(probe, LIST, ROW)
  const urls = requests
    .filter((request) => isData(request) && request.method() === "GET")
    .map((request) => request.url())
  // The rows themselves come on a stream of live results. A bare page reads them, and who has signed in.
  const sameData = [...urls, `${origin}/api/specimens?limit=100&total=false`, `${origin}/api/auth/get-session`]

  const { console, bare } = await leastOfFive({
    console: () => showing(browser.urlOf(LIST)),
    bare: () => showing(`${origin}/bare`, barePage(sameData)),
  })

  expect(console / bare, `${console} s against ${bare} s`).toBeLessThanOrEqual(CPU_RATIO)
})

/** Resolves to the CPU seconds that a new page takes until it has painted the rows. */
async function showing(url: string, body?: string): Promise<number> {
  const page = await browser.openEmpty({ as: "admin" })
  if (body !== undefined) await page.route(url, (route) => route.fulfill({ contentType: "text/html", body }))
  const thread = await PageThread.of(page)
  const seconds = await thread.during(async () => {
    await page.goto(url)
    await thread.showsText(ROW)
  })
  await page.context().close()
  return seconds
}

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

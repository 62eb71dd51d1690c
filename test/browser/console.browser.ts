import { type TestApp, testApp } from "kit/testing"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Chromium, startChromium } from "./support/chromium.ts"

let app: TestApp
let chromium: Chromium

beforeAll(async () => {
  app = await testApp({ collections: [], mode: "development", config: { app: { name: "News </script>" } } })
  chromium = await startChromium()
})
afterAll(async () => {
  await chromium[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

interface OpenedPage {
  readonly page: Page
  /** The errors in the browser's console, the uncaught errors, and the reports of the policy. */
  readonly errors: readonly string[]
}

async function open(path: string): Promise<OpenedPage> {
  const page = await (await chromium.browser.newContext()).newPage()
  const errors: string[] = []
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()))
  page.on("pageerror", (error) => errors.push(String(error)))
  await page.goto(new URL(path, app.url).href)
  await page.locator("#root > *").first().waitFor()
  return { page, errors }
}

describe.each(["/admin", "/admin/a/page/of/it", "/api/_kit/console", "/api/_kit/console/"])("%s", (path) => {
  test("shows the console, and its own policy has nothing to report", async () => {
    const { page, errors } = await open(path)

    const title = await page.title()
    const sheets = await page.evaluate("document.styleSheets.length")

    expect(title).toContain("News </script>")
    expect(sheets).toBeGreaterThan(0)
    expect(errors).toEqual([])
  })
})

// Tries what the policy forbids. The protocol of the browser allows evaluated code in the task that it begins, so `new
// Function` is tried in another one.
const TRY_FORBIDDEN = `(async () => {
  const reports = []
  const lastReport = new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
      reports.push(effectiveDirective)
      if (effectiveDirective === "connect-src") resolve()
    })
  })
  const attempt = (work) => {
    try {
      work()
      return "done"
    } catch (error) {
      return error.name
    }
  }
  const html = attempt(() => {
    document.createElement("div").innerHTML = "<img src=x onerror='globalThis.ran = true'>"
  })
  await new Promise((resolve) => setTimeout(resolve, 0))
  const made = attempt(() => new Function("globalThis.ran = true")())
  const style = document.createElement("style")
  style.textContent = "body { display: none }"
  document.head.append(style)
  const reached = await fetch("https://example.com/").then(() => "reached", () => "refused")
  await lastReport
  return { html, made, reached, ran: "ran" in globalThis, shown: getComputedStyle(document.body).display, reports }
})()`

test("the policy of the page stops code that is not its own", async () => {
  const { page } = await open("/admin")

  const { reports, ...outcome }: any = await page.evaluate(TRY_FORBIDDEN)

  expect(outcome).toEqual({ html: "TypeError", made: "EvalError", reached: "refused", ran: false, shown: "block" })
  expect(reports).toEqual(expect.arrayContaining(["style-src-elem", "connect-src"]))
})

test("a page of another origin cannot show the console in a frame", async () => {
  const page = await (await chromium.browser.newContext()).newPage()
  await page.goto("about:blank")

  await page.evaluate(`new Promise((resolve) => {
    const frame = document.createElement("iframe")
    frame.addEventListener("load", resolve)
    frame.src = ${JSON.stringify(new URL("/admin", app.url).href)}
    document.body.append(frame)
  })`)

  expect(page.frames().map((frame) => frame.url())).not.toContainEqual(expect.stringMatching(/\/admin$/))
})

import type { Page } from "playwright-core"

/** Statuses with which the server refuses what the page could have known to be refused, and failures of the server. */
const isFault = (status: number) => status === 403 || status === 404 || status >= 500

// The browser also says in its console that a request was answered by an error. Statuses are looked at by themselves.
const STATUS_LINE = /^Failed to load resource: the server responded with a status of/

/**
 * Pasting HTML with event handlers into ProseMirror makes the browser report them, while none of them runs. This is the
 * only report of the policy that is expected.
 */
const EXPECTED_REPORT = /script-src-attr/

/**
 * Returns a list to which everything is added that must not happen in a page: errors and warnings in its console, reports
 * of the content security policy among them, uncaught errors, and own requests that are answered by 403, 404 or 500.
 */
export function collectFaults(page: Page, origin: string): readonly string[] {
  const faults: string[] = []
  page.on("console", (message) => {
    const text = message.text()
    if (!["error", "warning"].includes(message.type()) || STATUS_LINE.test(text) || EXPECTED_REPORT.test(text)) return
    faults.push(`console: ${text}`)
  })
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.stack ?? error}`))
  page.on("response", (response) => {
    if (!isFault(response.status())) return
    const request = response.request()
    faults.push(`${response.status()}: ${request.method()} ${request.url().replace(origin, "")}`)
  })
  page.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(?:data|blob|about):/.test(url)) faults.push(`a request to another site: ${url}`)
  })
  return faults
}

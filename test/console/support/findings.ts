import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { CDPSession, Page } from "playwright-core"

/** The rules of WCAG 2.2, levels A and AA. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

let source: Promise<string> | undefined

/**
 * Resolves to what axe finds in the page, each finding with its elements, and to whether the page scrolls sideways.
 *
 * Axe runs in a world of its own beside the page's scripts: it sees the same document, and the policy of the page does
 * not apply to it.
 */
export async function findingsIn(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  const world = await openWorld(session)
  source ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
  await evaluate(session, world, `${await source}; undefined`)
  const options = JSON.stringify({ runOnly: { type: "tag", values: TAGS }, resultTypes: ["violations"] })
  // The script that was just evaluated documents this result.
  const { violations } = (await evaluate(session, world, `axe.run(document, ${options})`)) as AxeResult
  const isTooWide = await evaluate(
    session,
    world,
    "document.documentElement.scrollWidth > document.documentElement.clientWidth",
  )
  await session.detach()
  const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
  return isTooWide ? [...findings, "The page scrolls sideways."] : findings
}

async function openWorld(session: CDPSession): Promise<number> {
  const { frameTree } = await session.send("Page.getFrameTree")
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id })
  return executionContextId
}

async function evaluate(session: CDPSession, contextId: number, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  })
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value
}

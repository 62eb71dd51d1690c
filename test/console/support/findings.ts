import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { CDPSession, Page } from "playwright-core"

/** The rules of WCAG 2.2, levels A and AA. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]

/** The rules whose outcome depends on colours, and so on the theme. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"]

/**
 * React Aria hides everything outside of an open combobox from screen readers, and closes it as soon as the focus leaves
 * it: the focus never gets into what is hidden, which keyboard.console.ts holds. Axe cannot know that.
 */
const IS_COMBOBOX_OPEN = `document.querySelector("[role=combobox][aria-expanded=true]") !== null`
const HIDDEN_FOCUS_RULE = "aria-hidden-focus"

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

let source: Promise<string> | undefined

/** Resolves to what axe finds in the page, each finding with its elements, and to whether the page scrolls sideways. */
export async function findingsIn(page: Page): Promise<readonly string[]> {
  const axe = await Axe.in(page)
  const findings = await axe.findings()
  await axe.close()
  return findings
}

/**
 * Axe in a world of its own beside the scripts of a page: it sees the same document, and the policy of the page does not
 * apply to it. It is loaded once, for any number of looks at the same document: half of the time of a look (0.2 s) otherwise.
 */
export class Axe {
  readonly #session: CDPSession
  readonly #contextId: number

  private constructor(session: CDPSession, contextId: number) {
    this.#session = session
    this.#contextId = contextId
  }

  static async in(page: Page): Promise<Axe> {
    const session = await page.context().newCDPSession(page)
    const { frameTree } = await session.send("Page.getFrameTree")
    const world = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id })
    const axe = new Axe(session, world.executionContextId)
    source ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
    await axe.#evaluate(`${await source}; undefined`)
    return axe
  }

  /** Everything that a person with a disability could stumble over. */
  async findings(): Promise<readonly string[]> {
    const isComboboxOpen = await this.#evaluate(IS_COMBOBOX_OPEN)
    const found = await this.#run({
      runOnly: { type: "tag", values: TAGS },
      ...(isComboboxOpen === true && { rules: { [HIDDEN_FOCUS_RULE]: { enabled: false } } }),
    })
    const width = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    return (await this.#evaluate(width)) ? [...found, "The page scrolls sideways."] : found
  }

  /** What another theme can change. */
  colorFindings(): Promise<readonly string[]> {
    return this.#run({ runOnly: { type: "rule", values: COLOR_RULES } })
  }

  async close(): Promise<void> {
    await this.#session.detach()
  }

  async #run(options: object): Promise<readonly string[]> {
    const settings = JSON.stringify({ ...options, resultTypes: ["violations"], selectors: false })
    // The script that was loaded documents this result.
    const { violations } = (await this.#evaluate(`axe.run(document, ${settings})`)) as AxeResult
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
  }

  async #evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#session.send("Runtime.evaluate", {
      expression,
      contextId: this.#contextId,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
}

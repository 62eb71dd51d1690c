import type { Page } from "playwright-core"

/** The rows that React has rendered in a commit of the page, by their texts. */
type Commit = readonly string[]

/**
 * Notes every commit of React in which a row of a list is rendered. Called before the page is loaded: React looks for such
 * an observer, as its developer tools are one, when it starts.
 */
export async function noteRowRenders(page: Page): Promise<void> {
  await page.addInitScript(`{
    const HAS_RENDERED = 1
    window.rowCommits = []
    let rows
    const isComponent = (fiber) => typeof fiber.type === "function" || typeof fiber.type === "object"
    const elementOf = (fiber) => {
      for (let at = fiber; at; at = at.child) if (typeof at.type === "string") return at.stateNode
      return null
    }
    // A component whose children are those of the commit before has not come to any of them.
    const walk = (fiber) => {
      const former = fiber.alternate
      const element = isComponent(fiber) && fiber.flags & HAS_RENDERED ? elementOf(fiber) : null
      if (element?.getAttribute("role") === "row") rows.add(element)
      if (former && former.child === fiber.child) return
      for (let child = fiber.child; child; child = child.sibling) walk(child)
    }
    window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberUnmount: () => {},
      onPostCommitFiberRoot: () => {},
      onCommitFiberRoot: (_renderer, root) => {
        rows = new Set()
        walk(root.current)
        if (rows.size > 0) window.rowCommits.push(Array.from(rows, (row) => row.textContent))
      },
    }
  }`)
}

/** Returns the commits since the last call. */
export function takeRowCommits(page: Page): Promise<readonly Commit[]> {
  return page.evaluate<readonly Commit[]>("window.rowCommits.splice(0)")
}

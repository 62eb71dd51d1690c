import { type HTMLDivElement, Window } from "happy-dom"
import type { ReactNode } from "react"

// React looks for a document when it is imported, so this file is imported before react-dom. The page has no fetch of
// its own: the tests use that of Node, which can reach the server.
const page = new Window({ url: "http://localhost:3000" })
const globals = { window: page, document: page.document }
Object.assign(globalThis, globals)
// Node 20 has no navigator, and that of newer versions cannot be assigned to.
Object.defineProperty(globalThis, "navigator", { value: page.navigator, configurable: true })

const { createRoot, hydrateRoot } = await import("react-dom/client")

/** A part of the page that React renders. */
export interface Mounted {
  readonly text: string
  readonly html: string
  render(node: ReactNode): void
  /** Clicks its first button. */
  click(): void
  unmount(): void
}

/** Renders in a new element of the page. */
export function mount(node: ReactNode): Mounted {
  const element = newElement()
  const root = createRoot(element)
  root.render(node)
  return mounted(element, root)
}

/** Makes the HTML of a server's render a part of the page, and lets React take it over. */
export function hydrate(html: string, node: ReactNode, onRecoverableError?: (error: unknown) => void): Mounted {
  const element = newElement()
  element.innerHTML = html
  return mounted(element, hydrateRoot(element, node, onRecoverableError && { onRecoverableError }))
}

/** Runs a function as on a server, where there is no page. */
export async function asServer<Result>(run: () => Promise<Result>): Promise<Result> {
  // React finishes what it still has to do in the page.
  await new Promise((resolve) => setTimeout(resolve))
  for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name)
  try {
    return await run()
  } finally {
    Object.assign(globalThis, globals)
  }
}

function newElement(): HTMLDivElement {
  const element = page.document.createElement("div")
  page.document.body.append(element)
  return element
}

function mounted(element: HTMLDivElement, root: ReturnType<typeof createRoot>): Mounted {
  return {
    get text() {
      return element.textContent ?? ""
    },
    get html() {
      return element.innerHTML
    },
    render: (node) => root.render(node),
    click: () => element.querySelector("button")?.click(),
    unmount: () => {
      root.unmount()
      element.remove()
    },
  }
}

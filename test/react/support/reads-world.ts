import type { Collection, Global } from "kit"
import type { ReactNode } from "react"
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest"
import { type TestApp, testApp } from "../../support/worlds/test-app.ts"
import { clientOf } from "./client-of.ts"
import { Network } from "./network.ts"
import { type Mounted, mount } from "./page.ts"

type AppOptions = Parameters<typeof testApp>[0] & { readonly resources: readonly (Collection | Global)[] }

/** The time for which a test waits for the page. */
export const WAIT = { timeout: 60_000 }

/**
 * Starts a server for the tests of a file. Each test gets empty tables, a network and a client on it. What the test has
 * mounted is unmounted in the end.
 */
export function readsWorld<CollectionName extends string, GlobalName extends string = never>(options: AppOptions) {
  const tables = options.resources.map(({ definition: { kind, name } }) =>
    kind === "global" ? `global_${name}` : name,
  )
  let app: TestApp
  let network: Network
  let client: ReturnType<typeof newClient>
  let mounted: Mounted[] = []
  const newClient = () => clientOf<CollectionName, GlobalName>(app, { fetch: network.fetch })

  beforeAll(async () => {
    app = await testApp(options)
  })
  afterAll(() => app[Symbol.asyncDispose]())
  beforeEach(async () => {
    await app.database.query(`truncate ${tables.join()} cascade`)
    network = new Network()
    client = newClient()
  })
  afterEach(() => {
    vi.restoreAllMocks()
    for (const page of mounted) page.unmount()
    mounted = []
    client.realtime.destroy()
  })

  return {
    get app() {
      return app
    },
    get network() {
      return network
    },
    get client() {
      return client
    },
    /** Renders in a new element of the page until the test ends. */
    mount: (node: ReactNode): Mounted => {
      const page = mount(node)
      mounted.push(page)
      return page
    },
  }
}

/** Returns the titles of a page of records. */
export function titles({ docs }: { readonly docs: readonly { readonly title?: unknown }[] }): unknown[] {
  return docs.map(({ title }) => title)
}

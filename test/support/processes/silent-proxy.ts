import { createTestDatabase, type TestDatabase } from "../test-database.ts"

/** Stands between an app and a database of its own, and can stop to forward anything without closing a connection. */
export interface SilentProxy extends AsyncDisposable {
  readonly url: string
  /** Past the proxy. */
  readonly database: TestDatabase
  /** The connections that there are fall silent for ever; those that are opened later pass. */
  silence(): void
  /** New connections are accepted and never answered, until `open`. */
  shut(): void
  open(): void
}

// The experiment of `npm run soak -- silence` uses the same one, and is not compiled.
const PROXY_URL = new URL("../../../soak/silent-proxy.mjs", import.meta.url).href

export async function startSilentProxy(): Promise<SilentProxy> {
  const { startSilentProxy: start } = await import(PROXY_URL)
  const database = await createTestDatabase()
  const proxy = await start(database.url)
  return {
    ...proxy,
    database,
    [Symbol.asyncDispose]: async () => {
      await proxy.close()
      await database.drop()
    },
  }
}

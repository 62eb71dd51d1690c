import { createTestDatabase, type TestDatabase } from "../test-database.ts"

/** A proxy between an app and a test database that can stop forwarding without closing a connection. */
export interface SilentProxy extends AsyncDisposable {
  readonly url: string
  /** The database without the proxy. */
  readonly database: TestDatabase
  /** Existing connections fall silent for ever; new ones work. */
  silence(): void
  /** New connections are accepted and never answered, until `open`. */
  shut(): void
  open(): void
}

// The experiment of `npm run soak -- silence` uses the same file, which is not compiled.
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

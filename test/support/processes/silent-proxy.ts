import { createTestDatabase, type TestDatabase } from "../test-database.ts"
import { startForwardingProxy } from "./forwarding-proxy.ts"

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

export async function startSilentProxy(): Promise<SilentProxy> {
  const database = await createTestDatabase()
  const proxy = await startForwardingProxy(database.url)
  return {
    ...proxy,
    database,
    [Symbol.asyncDispose]: async () => {
      await proxy.close()
      await database.drop()
    },
  }
}

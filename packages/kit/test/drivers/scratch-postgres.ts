import { randomUUID } from "node:crypto"
import { openPostgres } from "../../src/drivers/postgres/open-postgres.ts"
import type { Connection } from "../../src/ports/database.ts"

export interface ScratchPostgres {
  readonly url: string
  release(): Promise<void>
}

/** An empty database of its own, on the server of this test run. */
export function startScratchPostgres(): Promise<ScratchPostgres> {
  // Set by the global setup.
  return createDatabase(process.env["KIT_TEST_DATABASE_URL"] ?? "")
}

/** The rows of a statement, parameters given one by one. */
export async function rowsOf(connection: Connection, text: string, ...values: unknown[]) {
  const { rows } = await connection.query({ text, values })
  return rows
}

/** The first value of the first row. */
export async function firstValue(connection: Connection, text: string, ...values: unknown[]): Promise<unknown> {
  const [row] = await rowsOf(connection, text, ...values)
  return row?.[0]
}

/** A promise to be resolved from outside, for work that must stay open until a test says so. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

async function createDatabase(serverUrl: string): Promise<ScratchPostgres> {
  const name = `kit_${randomUUID().replaceAll("-", "")}`
  const server = openPostgres({ url: serverUrl, maxConnections: 1 })
  await server.query({ text: `create database ${name}`, values: [] })
  return {
    url: serverUrl.replace(/\/[^/?]*(\?|$)/, `/${name}$1`),
    async release() {
      await server.query({ text: `drop database ${name} with (force)`, values: [] })
      await server.close()
    },
  }
}

import { randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startEmbeddedPostgres } from "../../src/drivers/embedded-postgres/start.ts"
import { openPostgres } from "../../src/drivers/postgres/open-postgres.ts"
import type { Connection } from "../../src/ports/database.ts"

export interface ScratchPostgres {
  readonly url: string
  release(): Promise<void>
}

/** An empty database of its own: on the server of DATABASE_URL, or on an embedded one in a temporary directory. */
export function startScratchPostgres(): Promise<ScratchPostgres> {
  const url = process.env["DATABASE_URL"]
  return url ? createDatabase(url) : startServer()
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

async function startServer(): Promise<ScratchPostgres> {
  const directory = await mkdtemp(join(tmpdir(), "kit-postgres-"))
  const server = await startEmbeddedPostgres({ directory })
  return {
    url: server.url,
    async release() {
      await server.release()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

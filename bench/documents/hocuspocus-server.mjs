// A server of Hocuspocus as its documentation shows it. With STORES_DOCUMENTS it writes the state of a changed document
// to PostgreSQL after its default delay of two seconds.
import { Server } from "@hocuspocus/server"
import pg from "pg"
import * as Y from "yjs"

const isStored = process.env["STORES_DOCUMENTS"] === "1"
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 4 })
if (isStored) await pool.query("create table if not exists stored_documents (name text primary key, state bytea)")

const server = new Server({
  port: Number(process.env["PORT"]),
  address: "127.0.0.1",
  quiet: true,
  ...(isStored && {
    onLoadDocument: async ({ documentName, document }) => {
      const { rows } = await pool.query("select state from stored_documents where name = $1", [documentName])
      if (rows[0]) Y.applyUpdate(document, rows[0].state)
    },
    onStoreDocument: async ({ documentName, document }) => {
      await pool.query(
        `insert into stored_documents values ($1, $2) on conflict (name) do update set state = excluded.state`,
        [documentName, Buffer.from(Y.encodeStateAsUpdate(document))],
      )
    },
  }),
})
await server.listen()

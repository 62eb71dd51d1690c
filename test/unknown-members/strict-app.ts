import { channel, collection, global } from "kit"
import { z } from "zod"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const OPEN = { read: true, create: true, update: true, delete: true, purge: true, drafts: true } as const
const workflow = { stages: { draft: {}, shown: {} }, public: "shown" }

const things = collection("things")
  .fields(({ f }) => ({ name: f.text().required(), text: f.textarea().collaborative() }))
  .title("name")
  .searchable({ fields: ["name"] })
  .preview(({ record }) => `https://example.com/${record["name"]}`)
  .options({ softDelete: true, revision: true, versions: true, workflow })
  .access(OPEN)

const pictures = collection("pictures")
  .fields(({ f }) => ({ alt: f.text() }))
  .upload({})
  .access(OPEN)

const page = global("page")
  .fields(({ f }) => ({ note: f.text(), memo: f.textarea().collaborative() }))
  .options({ revision: true, versions: true, workflow })
  .access({ read: true, update: true, drafts: true })

const room = channel("room-[id]")
  .events({ said: z.object({ text: z.string() }) })
  .access({ subscribe: true, publish: true })

/** Starts an app in which every operation of a record, a global and a channel can be done by anyone. */
export function strictApp(): Promise<TestApp> {
  return testApp({ resources: [things, pictures, page], channels: { room } })
}

/** The records of a test, each of which allows one kind of operation. */
export interface Records {
  /** A record with two versions. */
  readonly id: string
  /** A record with a pending transition. */
  readonly pending: string
  readonly deleted: string
  readonly picture: { readonly id: string; readonly key: string }
}

const LATER = "2099-01-01T00:00:00Z"

export async function makeRecords(app: TestApp): Promise<Records> {
  const { collections, globals } = app.client()
  const { things, pictures } = collections
  const create = async (name: string): Promise<string> => (await things.create({ name })).id
  const [id, pending, deleted] = await Promise.all([create("first"), create("pending"), create("deleted")])
  await things.updateById({ id, data: { name: "second" } })
  await things.transitionStage({ id: pending, stage: "shown", scheduledAt: LATER })
  await things.deleteById({ id: deleted })
  await globals["page"].update({ note: "first" })
  await globals["page"].transitionStage({ stage: "shown", scheduledAt: LATER })
  const picture = await pictures.upload(new File(["a picture"], "a.txt", { type: "text/plain" }))
  return { id, pending, deleted, picture }
}

// The other tables of kit change at moments of their own.
const TABLES = `select table_name from information_schema.tables where table_schema = 'public'
  and (table_name not like '\\_kit%' or table_name in ('_kit_versions', '_kit_pending_transitions')) order by 1`

/** Returns the stored records, with their versions and stages. Two equal texts mean that nothing was written in between. */
export async function contentOf({ database }: TestApp): Promise<string> {
  const contents: unknown[] = []
  for (const { table_name: table } of await database.query(TABLES)) {
    const rows = await database.query(`select to_jsonb(t) as row from "${table}" t order by 1`)
    contents.push({ table, rows })
  }
  return JSON.stringify(contents)
}

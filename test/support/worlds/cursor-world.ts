import { collection, type Session } from "kit"
import { type TestApp, testApp } from "./test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const

const authors = collection("authors")
  .fields(({ f }) => ({ name: f.text(), team: f.relation("authors") }))
  .access({
    ...everyone,
    read: ({ session }) => session !== null || { OR: [{ name: { isNull: true } }, { name: { ne: "hidden" } }] },
  })

const entries = collection("entries")
  .fields(({ f }) => ({
    number: f.number().integer().required(),
    rank: f.number().integer(),
    score: f.number(),
    price: f.number().decimal(12, 4),
    size: f.number().bigint(),
    name: f.text(),
    label: f.text().localized(),
    points: f.number().integer().localized(),
    kind: f.select(["red", "green", "blue"]),
    isOpen: f.boolean(),
    day: f.date(),
    clock: f.time(),
    at: f.datetime(),
    parity: f.virtual(f.number().integer(), 'nullif("rank" % 2, 0)'),
    secret: f.text().access({ read: ({ session }) => session !== null }),
    masked: f
      .number()
      .integer()
      .access({ read: ({ session }) => session !== null || { isOpen: true } }),
    author: f.relation("authors"),
  }))
  .title("name")
  .options({ softDelete: true })
  .access({ ...everyone, read: ({ session }) => session !== null || { number: { lte: 40 } } })

const staged = collection("staged")
  .fields(({ f }) => ({ number: f.number().integer().required(), rank: f.number().integer() }))
  .options({ workflow: true })
  .access({ ...everyone, drafts: ({ session }) => session !== null, transition: true })

const chosen = collection("chosen")
  .fields(({ f }) => ({ number: f.number().integer().required() }))
  .options({ id: "client", timestamps: false })
  .access(everyone)

export const ENTRIES = 48
export const EDITOR: Session = { user: { id: "0e9a1f3e-2e51-4d0a-9f57-0a8f5d5a1111" } }

/** Starts an app whose entries have many equal values, nulls, and values at the limits of their types. */
export async function cursorWorld(): Promise<TestApp> {
  const app = await testApp({
    resources: [authors, entries, staged, chosen],
    config: { locales: { default: "en", all: ["en", "sk"] }, openapi: true },
  })
  for (const statement of ROWS) await app.database.query(statement)
  return app
}

const uuid = (sql: string) => `lpad(to_hex(${sql}), 32, '0')::uuid`

const ROWS = [
  `insert into authors (id, name, team, "createdAt", "updatedAt")
   select ${uuid("n")}, (array['ann', 'Bob', 'äda', 'hidden', null, 'ann'])[n], case when n % 2 = 0 then ${uuid("1")} end, now(), now()
   from generate_series(1, 6) n`,
  `insert into entries (id, number, rank, score, price, size, name, label, points, kind, "isOpen", day, clock, at, secret, masked, author, "deletedAt", "createdAt", "updatedAt")
   select ${uuid("n * 7919 % 1009")}, n, nullif(n % 4, 0),
     (array['-Infinity', '-0', '0', '0.1', '0.30000000000000004', '1e300', 'Infinity', 'NaN', null])[n % 9 + 1]::double precision,
     (array[-0.0001, 0, 12345678.9012, null])[n % 4 + 1], (array[9007199254740993, 9007199254740992, null, -1])[n % 4 + 1],
     (array['b', 'A', 'a', 'ä', '', null, 'z''"\\', 'B'])[n % 8 + 1],
     case n % 4 when 0 then null when 1 then '{"en":"one"}'::jsonb when 2 then '{"sk":"dva"}' else '{"en":"three","sk":"tri"}' end,
     case n % 3 when 0 then '{"en":10,"sk":9}'::jsonb when 1 then '{"en":9}' end,
     (array['red', 'green', 'blue', null])[n % 4 + 1], (array[true, false, null])[n % 3 + 1],
     (array['2024-02-29', '0044-03-15', null])[n % 3 + 1]::date, (array['23:59:59', '00:00:00', null])[n % 3 + 1]::time,
     timestamptz '2024-01-01 00:00:00.001Z' + (n % 5) * interval '1 millisecond',
     's' || n % 3, n % 5, (array[null, ${[1, 2, 3, 4, 5, 6].map((n) => uuid(String(n))).join(", ")}])[n % 7 + 1],
     case when n % 12 = 0 then now() end,
     timestamptz '2024-01-01 00:00:00Z' + (n % 6) * interval '1 millisecond', now()
   from generate_series(1, ${ENTRIES}) n`,
  `insert into staged (id, number, rank, stage, "createdAt", "updatedAt")
   select ${uuid("n")}, n, nullif(n % 3, 0), 'draft', now(), now() from generate_series(1, 12) n`,
  `insert into chosen (id, number) select (array['a', 'B', 'ä', 'b', '_', 'Z'])[n], n from generate_series(1, 6) n`,
]

/** A page by a cursor, with the numbers of its records. */
export interface NumberedPage {
  readonly numbers: readonly number[]
  readonly totalDocs: number
  readonly hasPrevPage: boolean
  readonly hasNextPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

export interface PagedList {
  readonly app: TestApp
  readonly collection?: string
  readonly options: object
  readonly session?: Session
}

/** Reads one page with these options besides those of the list. */
export async function readPage(
  { app, collection: name = "entries", options, session }: PagedList,
  more: object,
): Promise<NumberedPage> {
  const body = JSON.stringify({ ...options, ...more })
  const answer = await app.fetch(`/${name}/query`, { method: "POST", body, ...(session && { session }) })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return { ...answer.body, numbers: answer.body.docs.map(({ number }: { number: number }) => number) }
}

/** Returns the numbers of all records of the list in its order, read by one page without cursors. */
export async function readWhole(list: PagedList): Promise<readonly number[]> {
  return (await readPage(list, { limit: 1000 })).numbers
}

/** Returns the pages of the list from the first to the last. */
export async function walkForward(list: PagedList, limit: number): Promise<readonly NumberedPage[]> {
  const pages = [await readPage(list, { limit, after: null })]
  for (let last = pages.at(-1); last?.hasNextPage; last = pages.at(-1)) {
    pages.push(await readPage(list, { limit, after: last.endCursor }))
  }
  return pages
}

/** Returns the pages of the list from the first to the last, read from its end. */
export async function walkBackward(list: PagedList, limit: number): Promise<readonly NumberedPage[]> {
  const pages = [await readPage(list, { limit, before: null })]
  for (let first = pages[0]; first?.hasPrevPage; first = pages[0]) {
    pages.unshift(await readPage(list, { limit, before: first.startCursor }))
  }
  return pages
}

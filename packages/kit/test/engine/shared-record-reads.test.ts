import { expect, test } from "vitest"
import { SharedRecordReads } from "../../src/engine/context/shared-record-reads.ts"
import type { Caller, CallerConnection, Database, QueryResult, Statement } from "../../src/ports/database.ts"

test("several callers count as one more caller, who has left when all of them have", async () => {
  const database = new FakeDatabase()
  const shared = new SharedRecordReads(database)
  const [ada, bob] = [callerNamed("ada"), callerNamed("bob")]

  await Promise.all([shared.read(readOf("1", ada)), shared.read(readOf("2", bob))])

  const [caller] = database.callers
  expect(caller?.key).toBe("several callers")
  ada.hasLeft = true
  expect(caller?.hasLeft).toBe(false)
  bob.hasLeft = true
  expect(caller?.hasLeft).toBe(true)
})

test("a statement for one caller counts towards the share of that caller", async () => {
  const database = new FakeDatabase()
  const shared = new SharedRecordReads(database)
  const ada = callerNamed("ada")

  const found = await Promise.all(["1", "2", "missing"].map((id) => shared.read(readOf(id, ada))))

  expect(database.callers.map(({ key }) => key)).toEqual(["ada"])
  expect(found.map(({ rows }) => rows)).toEqual([[["record 1"]], [["record 2"]], []])
})

test("reads run alone after a failed statement, and share the next one", async () => {
  const database = new FakeDatabase()
  const shared = new SharedRecordReads(database)
  const ada = callerNamed("ada")
  database.failure = new Error("A record is broken.")

  const found = await Promise.all(["1", "2"].map((id) => shared.read(readOf(id, ada))))
  await Promise.all(["1", "2"].map((id) => shared.read(readOf(id, ada))))

  expect(found.map(({ rows }) => rows)).toEqual([[["alone 1"]], [["alone 2"]]])
  expect(database.callers).toHaveLength(2)
})

test("records that are too long together are read alone from then on", async () => {
  const database = new FakeDatabase()
  const shared = new SharedRecordReads(database)
  const ada = callerNamed("ada")
  database.bytes = 300_000

  const found = await Promise.all(["1", "2"].map((id) => shared.read(readOf(id, ada))))
  await Promise.all(["1", "2"].map((id) => shared.read(readOf(id, ada))))

  expect(found.map(({ rows }) => rows)).toEqual([[["alone 1"]], [["alone 2"]]])
  expect(database.callers).toHaveLength(1)
})

function callerNamed(key: string): { readonly key: string; hasLeft: boolean } {
  return { key, hasLeft: false }
}

function readOf(id: string, caller: Caller) {
  return {
    id,
    caller,
    key: "posts",
    selectEach: (ids: readonly string[]): Statement => ({ text: "select", values: [ids] }),
    readAlone: () => Promise.resolve({ rows: [[`alone ${id}`]] }),
  }
}

/** Finds every record but the one with the id "missing". */
class FakeDatabase implements Pick<Database, "forCaller"> {
  readonly callers: Caller[] = []
  bytes = 0
  failure: Error | undefined

  forCaller(caller: Caller): CallerConnection {
    this.callers.push(caller)
    const unused = () => Promise.reject(new Error("This is not used here."))
    return {
      query: (statement) => this.#find(statement),
      transaction: unused,
      withoutLimits: { query: unused, transaction: unused },
    }
  }

  #find({ values, checkBytes }: Statement): Promise<QueryResult> {
    const failure = this.failure ?? checkBytes?.(this.bytes)
    this.failure = undefined
    if (failure) return Promise.reject(failure)
    // The cast is safe: `selectEach` above binds the ids.
    const ids = values[0] as readonly string[]
    const rows = ids.flatMap((id, index) => (id === "missing" ? [] : [[String(index + 1), `record ${id}`]]))
    return Promise.resolve({ rows, rowCount: rows.length, columns: ["place", "record"] })
  }
}

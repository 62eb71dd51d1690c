import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { openPostgres, type PostgresOptions } from "../../src/drivers/postgres/open-postgres.ts"
import type { Connection, Database, Transaction } from "../../src/ports/database.ts"
import { firstValue, gate, rowsOf, type ScratchPostgres, startScratchPostgres } from "./scratch-postgres.ts"

let postgres: ScratchPostgres
let admin: Database
const opened: Database[] = []

beforeAll(async () => {
  postgres = await startScratchPostgres()
  admin = openPostgres({ url: postgres.url, maxConnections: 1 })
  await admin.query({ text: "create table notes (text text unique deferrable initially deferred)", values: [] })
})

beforeEach(async () => {
  await admin.query({ text: "truncate notes", values: [] })
})

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(opened.splice(0).map((database) => database.close()))
})

afterAll(async () => {
  await admin.close()
  await postgres.release()
})

function open(options: Partial<PostgresOptions> = {}): Database {
  const database = openPostgres({ url: postgres.url, ...options })
  opened.push(database)
  return database
}

const pidOf = (connection: Connection) => firstValue(connection, "select pg_backend_pid()")
const kill = (pid: unknown) => firstValue(admin, "select pg_terminate_backend($1)", pid)
const note = (connection: Connection, text: string) => firstValue(connection, "insert into notes values ($1)", text)
const fail = (connection: Connection) => firstValue(connection, "select 1 / $1::int", 0)
const ignore = () => {}

async function notes(): Promise<unknown[]> {
  const rows = await rowsOf(admin, "select text from notes order by text")
  return rows.map(([text]) => text)
}

describe("a transaction", () => {
  test("commits what its function did and gives back its result", async () => {
    const result = await open().transaction(async (transaction) => {
      await note(transaction, "a")
      return "done"
    })

    expect(result).toBe("done")
    expect(await notes()).toEqual(["a"])
  })

  test("rolls back when its function rejects", async () => {
    const database = open({ maxConnections: 1 })

    const work = database.transaction(async (transaction) => {
      await note(transaction, "a")
      throw new Error("changed my mind")
    })

    await expect(work).rejects.toThrow("changed my mind")
    expect(await notes()).toEqual([])
    expect(await firstValue(database, "select 1")).toBe(1)
  })

  test("rolls back when its function throws before it returns a promise", async () => {
    const database = open({ maxConnections: 1 })

    const work = database.transaction(() => {
      throw new Error("at once")
    })

    await expect(work).rejects.toThrow("at once")
    expect(await firstValue(database, "select 1")).toBe(1)
  })

  test("is not seen by others before it commits", async () => {
    const seen = await open().transaction(async (transaction) => {
      await note(transaction, "a")
      return notes()
    })

    expect(seen).toEqual([])
    expect(await notes()).toEqual(["a"])
  })

  test("reports an abort when a statement's error was caught, and why", async () => {
    const database = open({ maxConnections: 1 })

    const work = database.transaction(async (transaction) => {
      await note(transaction, "a")
      await fail(transaction).catch(ignore)
    })

    await expect(work).rejects.toMatchObject({ code: "25P02", cause: { code: "22012" } })
    await expect(work).rejects.toThrow("The transaction was aborted")
    expect(await notes()).toEqual([])
    expect(await firstValue(database, "select 1")).toBe(1)
  })

  test("throws what the commit throws, and ends the connection", async () => {
    const database = open({ maxConnections: 1 })
    const pid = await pidOf(database)

    const work = database.transaction(async (transaction) => {
      await note(transaction, "a")
      await note(transaction, "a")
    })

    await expect(work).rejects.toMatchObject({ code: "23505" })
    expect(await notes()).toEqual([])
    expect(await pidOf(database)).not.toBe(pid)
  })

  test("takes no more calls once it has ended", async () => {
    let kept: Transaction | undefined
    await open().transaction((transaction) => {
      kept = transaction
      return Promise.resolve()
    })

    await expect(kept?.query({ text: "select 1", values: [] })).rejects.toThrow("This transaction has ended")
    await expect(kept?.transaction(async () => 1)).rejects.toThrow("This transaction has ended")
    expect(() => kept?.afterCommit(ignore)).toThrow("This transaction has ended")
  })

  test("fails when its connection is lost between two statements", async () => {
    const database = open({ maxConnections: 1 })

    const work = database.transaction(async (transaction) => {
      await note(transaction, "a")
      await kill(await pidOf(transaction))
      await note(transaction, "b")
    })

    await expect(work).rejects.toMatchObject({ code: expect.stringMatching(/^(57P01|08006)$/) })
    expect(await notes()).toEqual([])
    expect(await firstValue(database, "select 1")).toBe(1)
  })

  test("fails when its connection is lost before the commit", async () => {
    const database = open({ maxConnections: 1 })

    const work = database.transaction(async (transaction) => {
      await note(transaction, "a")
      await kill(await pidOf(transaction))
    })

    await expect(work).rejects.toMatchObject({ code: expect.stringMatching(/^(57P01|08006)$/) })
    expect(await notes()).toEqual([])
  })

  test("throws the first error even when the rollback fails too", async () => {
    const database = open({ maxConnections: 1 })

    const work = database.transaction(async (transaction) => {
      await kill(await pidOf(transaction))
      throw new Error("the first error")
    })

    await expect(work).rejects.toThrow("the first error")
    expect(await firstValue(database, "select 1")).toBe(1)
  })

  test("fails once on a changed result type, and the next one passes", async () => {
    const database = open({ maxConnections: 1 })
    await database.query({ text: "create table changing (n int); insert into changing values (1)", values: [] })
    const read = (connection: Connection) => rowsOf(connection, "select * from changing where $1", true)
    for (let use = 1; use <= 3; use++) await read(database)

    await admin.query({ text: "alter table changing alter n type text", values: [] })

    await expect(database.transaction(read)).rejects.toMatchObject({ code: "0A000" })
    expect(await database.transaction(read)).toEqual([["1"]])
  })

  test("runs statements sent together in their order, without a warning", async () => {
    const warned = vi.fn()
    process.on("warning", warned)

    const results = await open().transaction((transaction) =>
      Promise.all([1, 2, 3, 4].map((n) => firstValue(transaction, "select $1::int", n))),
    )

    process.off("warning", warned)
    expect(results).toEqual([1, 2, 3, 4])
    expect(warned).not.toHaveBeenCalled()
  })

  test("never waits for a second connection", async () => {
    const database = open({ maxConnections: 2 })
    const work = async (transaction: Transaction, n: number) => {
      await note(transaction, `outer ${n}`)
      return transaction.transaction(async (nested) => {
        await note(nested, `inner ${n}`)
        return firstValue(nested, "select count(*)::int from notes where text = any($1)", [`outer ${n}`, `inner ${n}`])
      })
    }

    const counts = await Promise.all(
      Array.from({ length: 100 }, (_, n) => database.transaction((transaction) => work(transaction, n))),
    )

    expect(new Set(counts)).toEqual(new Set([2]))
    expect(await notes()).toHaveLength(200)
  })
})

describe("a nested transaction", () => {
  test("that fails can be caught without losing the outer work", async () => {
    await open().transaction(async (outer) => {
      await note(outer, "before")
      await outer
        .transaction(async (nested) => {
          await note(nested, "inside")
          await fail(nested)
        })
        .catch(ignore)
      await note(outer, "after")
    })

    expect(await notes()).toEqual(["after", "before"])
  })

  test("is undone with the outer one", async () => {
    const work = open().transaction(async (outer) => {
      await outer.transaction((nested) => note(nested, "inside"))
      throw new Error("outer")
    })

    await expect(work).rejects.toThrow("outer")
    expect(await notes()).toEqual([])
  })

  test("reports an abort when a statement's error was caught, and the outer one goes on", async () => {
    const database = open()

    const outcome = await database.transaction(async (outer) => {
      const nested = outer.transaction((inner) => fail(inner).catch(ignore))
      const error = await nested.catch((reason: unknown) => reason)
      await note(outer, "outer")
      return error
    })

    expect(outcome).toMatchObject({ code: "25P02", cause: { code: "22012" } })
    expect(await notes()).toEqual(["outer"])
  })

  test("nests any number of times", async () => {
    await open().transaction(async (one) => {
      await one.transaction(async (two) => {
        await note(two, "two")
        await two.transaction((three) => note(three, "three"))
        await two.transaction((three) => fail(three)).catch(ignore)
        await two.transaction((three) => note(three, "three again"))
      })
    })

    expect(await notes()).toEqual(["three", "three again", "two"])
  })

  test("waits until the one opened before it is over", async () => {
    const log: string[] = []
    const step = async (transaction: Transaction, name: string) => {
      log.push(`${name} starts`)
      await note(transaction, name)
      await pidOf(transaction)
      log.push(`${name} ends`)
      if (name === "b") throw new Error("b fails")
    }

    await open().transaction((outer) =>
      Promise.allSettled(["a", "b", "c"].map((name) => outer.transaction((nested) => step(nested, name)))),
    )

    expect(log).toEqual(["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"])
    expect(await notes()).toEqual(["a", "c"])
  })

  test("opened on the outer one from inside another is refused instead of waiting for ever", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })

    const work = open().transaction((outer) =>
      outer.transaction(() => {
        const waiting = outer.transaction(async () => 1)
        vi.runAllTimers()
        return waiting
      }),
    )

    await expect(work).rejects.toThrow("Inside a nested transaction use the transaction object passed to its function")
  })

  test("that still runs when the outer one fails can no longer write", async () => {
    const database = open({ maxConnections: 1 })
    const nestedStarted = gate()
    const outerFailed = gate()
    let late: Promise<unknown> = Promise.resolve()

    const work = database.transaction(async (outer) => {
      late = outer.transaction(async (nested) => {
        nestedStarted.open()
        await outerFailed.opened
        await note(nested, "late")
      })
      late.catch(ignore)
      await nestedStarted.opened
      throw new Error("outer")
    })

    await expect(work).rejects.toThrow("outer")
    outerFailed.open()
    await expect(late).rejects.toThrow("This transaction has ended")
    expect(await notes()).toEqual([])
  })

  test("that nobody awaits is finished before the outer one commits", async () => {
    await open().transaction((outer) => {
      void outer.transaction((nested) => note(nested, "not awaited"))
      return Promise.resolve()
    })

    expect(await notes()).toEqual(["not awaited"])
  })
})

describe("commit listeners", () => {
  test("run after the commit, in order, and not those of what was rolled back", async () => {
    const heard: string[] = []

    await open().transaction(async (outer) => {
      outer.afterCommit(() => heard.push("first"))
      await outer.transaction(async (nested) => nested.afterCommit(() => heard.push("nested")))
      await outer
        .transaction(async (nested) => {
          nested.afterCommit(() => heard.push("rolled back"))
          await nested.transaction(async (deeper) => deeper.afterCommit(() => heard.push("rolled back with it")))
          throw new Error("nested")
        })
        .catch(ignore)
      outer.afterCommit(() => heard.push("last"))
      expect(heard).toEqual([])
    })

    expect(heard).toEqual(["first", "nested", "last"])
  })

  test("never run when the transaction rolls back or its commit fails", async () => {
    const database = open()
    const listener = vi.fn()

    const thrown = database.transaction((transaction) => {
      transaction.afterCommit(listener)
      return Promise.reject(new Error("no"))
    })
    const notCommitted = database.transaction(async (transaction) => {
      transaction.afterCommit(listener)
      await Promise.all([note(transaction, "a"), note(transaction, "a")])
    })
    await Promise.allSettled([thrown, notCommitted])

    expect(listener).not.toHaveBeenCalled()
  })

  test("that fail are reported and do not stop the others", async () => {
    const reported: string[] = []
    const heard = vi.fn()
    const database = open({ onError: (error) => reported.push(error.message) })

    await database.transaction((transaction) => {
      transaction.afterCommit(() => {
        throw new Error("thrown")
      })
      transaction.afterCommit(() => Promise.reject(new Error("rejected")))
      transaction.afterCommit(heard)
      return Promise.resolve()
    })

    expect(heard).toHaveBeenCalledOnce()
    await vi.waitFor(() => expect(reported).toEqual(["thrown", "rejected"]), { timeout: 60_000 })
  })

  test("may use the database on a pool of one", async () => {
    const database = open({ maxConnections: 1 })
    let count: Promise<unknown> = Promise.resolve()

    await database.transaction(async (transaction) => {
      await note(transaction, "a")
      transaction.afterCommit(() => {
        count = firstValue(database, "select count(*)::int from notes")
      })
    })

    expect(await count).toBe(1)
  })
})

describe("the callback for appended changes", () => {
  const APPEND = { text: "insert into notes values ($1)", values: ["a"], appendsChanges: true }
  const watched = () => {
    const onCommit = vi.fn()
    return { onCommit, database: open({ watch: { authorText: "insert into notes ", onCommit } }) }
  }

  test("runs after a statement that appends changes, and not after another one", async () => {
    const { database, onCommit } = watched()

    await firstValue(database, "insert into notes values ('b')")
    expect(onCommit).not.toHaveBeenCalled()
    await database.query(APPEND)

    expect(onCommit).toHaveBeenCalledTimes(1)
  })

  test("runs once, at the end of the transaction", async () => {
    const { database, onCommit } = watched()

    await database.transaction(async (transaction) => {
      await transaction.query(APPEND)
      await transaction.query({ ...APPEND, values: ["b"] })
      expect(onCommit).not.toHaveBeenCalled()
    })

    expect(onCommit).toHaveBeenCalledTimes(1)
  })

  test("runs after SQL of the author that contains the text", async () => {
    const { database, onCommit } = watched()

    await database.query({ text: "select 'insert into others '", values: [], isWrittenByAuthor: true })
    expect(onCommit).not.toHaveBeenCalled()
    await database.query({ text: "insert into notes select 'c'", values: [], isWrittenByAuthor: true })

    expect(onCommit).toHaveBeenCalledTimes(1)
  })
})

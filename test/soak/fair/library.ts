import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"

export const BOOKS = 3_000
const REVIEWS_PER_BOOK = 50
const LOOK_EVERY_MS = 100
const GIVE_UP_MS = 60_000

/** Books are numbered from 1. */
export function bookId(number: number): string {
  return `00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`
}

/** The tables of the app, accessed directly with SQL. */
export class Library {
  #client

  constructor(url: string) {
    this.#client = new pg.Client({ connectionString: url })
  }

  async open() {
    await this.#client.connect()
  }

  async close() {
    await this.#client.end()
  }

  /** Stores 3,000 books with 50 reviews each, on tables that exist. */
  async fill() {
    await this.#client.query(`insert into books (id, title, pages, "createdAt", "updatedAt")
      select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Book ' || n, n, now(), now()
      from generate_series(1, ${BOOKS}) n`)
    await this.#client.query(`insert into reviews (id, book, stars, text, "createdAt", "updatedAt")
      select ('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid,
        ('00000000-0000-7000-8000-' || lpad(to_hex(1 + n % ${BOOKS}), 12, '0'))::uuid,
        1 + n % 5, 'Review ' || n || ' of a book that somebody has read to its end, or nearly so.', now(), now()
      from generate_series(1, ${BOOKS * REVIEWS_PER_BOOK}) n`)
    await this.#client.query("vacuum analyze")
  }

  /** Removes the records that attacks have created: our own ids are lower than those that the app generates. */
  async removeCreated() {
    for (const table of ["reviews", "books"]) {
      await this.#client.query(`delete from ${table} where id >= '00000001-0000-0000-0000-000000000000'`)
    }
    await this.#client.query("vacuum analyze reviews, books")
  }

  /** Waits until no statement of an attack is still running. */
  async untilCalm() {
    const giveUpAt = performance.now() + GIVE_UP_MS
    while (performance.now() < giveUpAt) {
      const { rows } = await this.#client.query(`select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
          and (state <> 'idle') and now() - query_start > interval '200 ms' and query not ilike 'listen%'`)
      if (rows[0].count === 0) return
      await wait(LOOK_EVERY_MS)
    }
  }

  /** Terminates the database sessions of a killed process. */
  async endSessions() {
    await this.#client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)
  }
}

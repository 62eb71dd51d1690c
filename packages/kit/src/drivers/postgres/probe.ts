import pg from "pg"
import { codeOf, UNREACHABLE_CODES } from "./errors.ts"
import { type Backend, destroyClient, endClient } from "./session.ts"

interface ProbeRequest {
  /** The sessions to check. The probe finds out which of them execute a statement, and which wait for their client. */
  readonly suspects: readonly Backend[]
  /** The sessions to terminate. Their connections are closed, but the sessions may still hold locks. */
  readonly abandoned: readonly Backend[]
}

export type ProbeAnswer =
  /**
   * The server replied, with the pids of the suspects that execute a statement. The other suspects are gone, or wait
   * for their client.
   */
  | { readonly kind: "answered"; readonly busyPids: ReadonlySet<number> }
  /** The PostgreSQL server cannot be reached. */
  | { readonly kind: "away" }
  /** The probe failed for an unrelated reason, such as too many connections or a DNS failure. */
  | { readonly kind: "undecided" }

const END_BACKENDS = `
  select pg_terminate_backend(activity.pid)
  from pg_stat_activity as activity join unnest($1::integer[], $2::text[]) as abandoned (pid, started) using (pid)
  where activity.backend_start::text = abandoned.started`

const FIND_BUSY = `
  select activity.pid
  from pg_stat_activity as activity join unnest($1::integer[], $2::text[]) as suspect (pid, started) using (pid)
  where activity.backend_start::text = suspect.started and activity.wait_event_type is distinct from 'Client'`

/** Asks the server, over a connection of its own, about sessions that have sent nothing for a while. */
export class PostgresProbe {
  readonly answer: Promise<ProbeAnswer>
  readonly #client: pg.Client
  #isAborted = false

  constructor(config: pg.ClientConfig, question: ProbeRequest) {
    this.#client = new pg.Client({ ...config, fallback_application_name: "kit probe" })
    this.#client.on("error", () => {})
    this.answer = this.#run(question)
  }

  /**
   * Ends a probe that takes too long. The probe's answer is then "away", because the server does not reply on a new
   * connection.
   */
  abort(): void {
    this.#isAborted = true
    destroyClient(this.#client)
  }

  async #run({ suspects, abandoned }: ProbeRequest): Promise<ProbeAnswer> {
    const client = this.#client
    try {
      await client.connect()
      if (abandoned.length > 0) await client.query(END_BACKENDS, columnsOf(abandoned))
      const { rows } = await client.query<{ pid: number }>(FIND_BUSY, columnsOf(suspects))
      void endClient(client)
      return { kind: "answered", busyPids: new Set(rows.map(({ pid }) => pid)) }
    } catch (error) {
      destroyClient(client)
      return { kind: this.#isAborted || UNREACHABLE_CODES.has(codeOf(error)) ? "away" : "undecided" }
    }
  }
}

function columnsOf(backends: readonly Backend[]): [number[], string[]] {
  return [backends.map(({ pid }) => pid), backends.map(({ startedAt }) => startedAt)]
}

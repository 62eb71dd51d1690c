import type { Socket } from "node:net"
import pg from "pg"

/**
 * A PostgreSQL server process. The operating system reuses pids, so the start time is part of the process's identity.
 */
export interface Backend {
  readonly pid: number
  readonly startedAt: string
}

declare module "pg" {
  interface ClientBase {
    /**
     * The pid of the server process, as the server reported it at connect. A pooler reports an invented pid. The
     * published types of `pg` lack this property.
     */
    readonly processID: number | null
  }
}

const CLOSE_TIMEOUT_MS = 2_000

// If the network cuts off a client, its session keeps its locks for two hours by default. These settings reduce that
// time to 15 seconds. Values that the database's operator has set are kept.
const SETTINGS_FOR_LOST_CLIENTS = `
  select count(set_config(name, value, false))
  from pg_settings join (values
    ('tcp_keepalives_idle', '5'), ('tcp_keepalives_interval', '3'), ('tcp_keepalives_count', '3'),
    ('tcp_user_timeout', '15000'), ('client_connection_check_interval', '10000')
  ) as wanted (name, value) using (name)
  where source = 'default'
    -- Elsewhere the server cannot check a connection while it works, and refuses the setting.
    and (name <> 'client_connection_check_interval' or version() ~ 'linux|darwin|bsd')`

const SET_UP = `
  select backend_start::text as started, (${SETTINGS_FOR_LOST_CLIENTS})
  from pg_stat_activity where pid = pg_backend_pid() and pid = $1`

export interface SessionOptions {
  /** The time limit for connecting and setting up the session. */
  readonly connectTimeoutMs: number
  /** False behind a pooler. Other clients then share the session, so its settings are not changed. */
  readonly isSessionExclusive: boolean
}

/**
 * Connects, and sets up the session so that the server soon notices a lost client. Resolves to the session's server
 * process, or to undefined if that is unknown, as behind a pooler. A client that cannot connect is destroyed.
 */
export async function startSession(client: pg.Client, options: SessionOptions): Promise<Backend | undefined> {
  const expire = () => destroyClient(client, connectTimeout())
  const timer = setTimeout(expire, options.connectTimeoutMs)
  try {
    await client.connect()
    return options.isSessionExclusive ? await setUp(client) : undefined
  } catch (error) {
    destroyClient(client)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function connectTimeout(): Error {
  return Object.assign(new Error("timeout expired"), { code: "ETIMEDOUT" })
}

async function setUp(client: pg.Client): Promise<Backend | undefined> {
  const pid = client.processID
  if (pid === null) return undefined
  try {
    const { rows } = await client.query<{ started: string }>(SET_UP, [pid])
    return rows[0] && { pid, startedAt: rows[0].started }
  } catch (error) {
    // Poolers, and databases that are compatible with PostgreSQL, may reject this query but still work.
    if (error instanceof pg.DatabaseError) return undefined
    throw error
  }
}

/** Terminates the client's session. Closes the socket if that takes longer than 2 s. */
export async function endClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => destroyClient(client), CLOSE_TIMEOUT_MS)
  await client.end().catch(() => {})
  clearTimeout(timer)
}

/** Closes the client's socket without sending a Terminate message, which a broken network would never deliver. */
export function destroyClient(client: pg.Client, reason?: Error): void {
  client.connection.stream.destroy(reason)
}

export interface Traffic {
  /** The number of bytes received from the server so far. */
  readonly bytesRead: number
  /** The number of bytes written to the socket so far. */
  readonly bytesWritten: number
  /** The part of `bytesWritten` that the kernel has not accepted yet. */
  readonly bytesQueued: number
}

/** Returns the traffic counters of a client's socket. */
export function trafficOf(client: pg.Client): Traffic {
  // The cast is safe: `pg` opens a plain or TLS socket, which its types do not say. Node's types lack `writeQueueSize`,
  // but Node itself reads it for its write timeouts.
  const stream = client.connection.stream as Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }
  const { bytesRead, bytesWritten } = stream
  return { bytesRead, bytesWritten, bytesQueued: stream._handle?.writeQueueSize ?? 0 }
}

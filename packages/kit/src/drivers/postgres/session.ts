import type { Socket } from "node:net"
import pg from "pg"

/** A process of the server. Ids are used again, so the moment of its start belongs to its identity. */
export interface Backend {
  readonly pid: number
  readonly startedAt: string
}

declare module "pg" {
  interface ClientBase {
    /** What the server said at the start; behind a pooler it is invented. The published types leave it out. */
    readonly processID: number | null
  }
}

const CLOSE_TIMEOUT_MS = 2_000

// A server that waits for a client which the network has cut off keeps its locks: by default for two hours, now for
// fifteen seconds. Values that the operator of the database has set are left alone.
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
  /** Until the session can be used. */
  readonly connectTimeoutMs: number
  /** Behind a pooler it belongs to others too, and is left as it is. */
  readonly isSessionOurs: boolean
}

/**
 * Connects, and has the server notice soon when this client is cut off. Answers which process serves the session;
 * undefined where that cannot be said, as behind a pooler. A client that could not connect is destroyed.
 */
export async function startSession(client: pg.Client, options: SessionOptions): Promise<Backend | undefined> {
  const expire = () => destroyClient(client, new Error("timeout expired"))
  const timer = setTimeout(expire, options.connectTimeoutMs)
  try {
    await client.connect()
    return options.isSessionOurs ? await setUp(client) : undefined
  } catch (error) {
    destroyClient(client)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function setUp(client: pg.Client): Promise<Backend | undefined> {
  const pid = client.processID
  if (pid === null) return undefined
  try {
    const { rows } = await client.query<{ started: string }>(SET_UP, [pid])
    return rows[0] && { pid, startedAt: rows[0].started }
  } catch (error) {
    // Poolers and relatives of PostgreSQL may refuse this, and can be used all the same.
    if (error instanceof pg.DatabaseError) return undefined
    throw error
  }
}

/** Says goodbye to the server, but does not wait for long. */
export async function endClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => destroyClient(client), CLOSE_TIMEOUT_MS)
  await client.end().catch(() => {})
  clearTimeout(timer)
}

/** Closes the socket without a goodbye: a network that is silent would never deliver it. */
export function destroyClient(client: pg.Client, reason?: Error): void {
  client.connection.stream.destroy(reason)
}

export interface Traffic {
  /** Received from the server so far. */
  readonly bytesRead: number
  /** Meant for the server so far. */
  readonly bytesWritten: number
  /** Of these, the bytes that the system has not taken over yet. */
  readonly bytesQueued: number
}

/** What has passed between a client and the server. */
export function trafficOf(client: pg.Client): Traffic {
  // `pg` opens a socket, plain or encrypted; its types promise less. Node itself watches writes by this size.
  const stream = client.connection.stream as Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }
  const { bytesRead, bytesWritten } = stream
  return { bytesRead, bytesWritten, bytesQueued: stream._handle?.writeQueueSize ?? 0 }
}

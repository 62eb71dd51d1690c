import type { Duplex } from "node:stream"
import pg from "pg"
import type { BulkSession } from "../../ports/bulk-session.ts"
import type { QueryResult, Statement } from "../../ports/database.ts"
import { lastResult } from "./connection.ts"
import { connectFailed, connectionLost, toError } from "./errors.ts"

interface BulkSessionOptions {
  readonly url: string
  /** The `application_name` that the PostgreSQL session reports. */
  readonly name: string
}

const CONNECT_TIMEOUT_MS = 10_000
// The idle time before TCP keep-alive probes begin. They notice that the server is gone, even while the connection
// waits long, e.g. for an index build.
const KEEP_ALIVE_MS = 10_000
const CLOSE_TIMEOUT_MS = 2_000
const PIECE_BYTES = 64 * 1024
// With this many unread pieces of COPY data, the socket is paused. TCP backpressure then makes the server wait.
const MAX_WAITING_PIECES = 8

const COPY_DATA = "d".charCodeAt(0)
const COPY_DONE = "c".charCodeAt(0)
const COPY_FAIL = "f".charCodeAt(0)

export async function openBulkSession({ url, name }: BulkSessionOptions): Promise<BulkSession> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })
  const session = new PostgresBulkSession(client)
  try {
    await client.connect()
    return session
  } catch (error) {
    client.connection.stream.destroy()
    throw connectFailed(error)
  }
}

class PostgresBulkSession implements BulkSession {
  readonly #client: pg.Client

  constructor(client: pg.Client) {
    this.#client = client
    // A running query rejects with the error. While no query runs, the error can be ignored.
    client.on("error", () => {})
  }

  async query({ text, values }: Statement): Promise<QueryResult> {
    const config = { text, rowMode: "array" as const, ...(values.length > 0 && { values: [...values] }) }
    try {
      const { rows, rowCount, fields } = lastResult(await this.#client.query<unknown[], unknown[]>(config))
      return { rows, rowCount: rowCount ?? 0, columns: fields.map((field) => field.name) }
    } catch (error) {
      throw explain(error)
    }
  }

  copyOut(text: string): AsyncIterable<Uint8Array> {
    const query = new CopyOutQuery(text)
    this.#client.query(query)
    return query.pieces()
  }

  copyIn(text: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#client.query(new CopyInQuery({ text, pieces, resolve, reject }))
    })
  }

  async close(): Promise<void> {
    const { stream } = this.#client.connection
    const timer = setTimeout(() => stream.destroy(), CLOSE_TIMEOUT_MS)
    if (!stream.destroyed) await this.#client.end().catch(() => {})
    clearTimeout(timer)
  }
}

/**
 * A COPY TO STDOUT statement. Collects the rows into pieces, and pauses the socket while too many pieces are unread.
 */
class CopyOutQuery implements pg.Submittable {
  readonly #text: string
  readonly #waiting: Buffer[] = []
  #stream: Duplex | undefined
  #piece = Buffer.allocUnsafe(PIECE_BYTES)
  #filled = 0
  #outcome: { readonly error?: Error } | undefined
  #wake = () => {}

  constructor(text: string) {
    this.#text = text
  }

  submit(connection: pg.Connection): void {
    this.#stream = connection.stream
    connection.query(this.#text)
  }

  // Copies the row immediately, because the parser of `pg` reuses its buffer.
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#filled + chunk.length > PIECE_BYTES) this.#finishPiece()
    if (chunk.length > PIECE_BYTES) this.#add(Buffer.from(chunk))
    else this.#filled += chunk.copy(this.#piece, this.#filled)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#finishPiece()
    this.#end({})
  }

  handleError(error: Error): void {
    this.#end({ error: explain(error) })
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (let piece = await this.#next(); piece; piece = await this.#next()) yield piece
    } finally {
      // If the consumer stops reading early, the socket is destroyed, because the server would otherwise keep sending
      // rows.
      if (!this.#outcome) this.#stream?.destroy()
    }
  }

  async #next(): Promise<Buffer | undefined> {
    while (this.#waiting.length === 0 && !this.#outcome) await this.#more()
    if (this.#waiting.length === 0 && this.#outcome?.error) throw this.#outcome.error
    return this.#waiting.shift()
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
      this.#stream?.resume()
    })
  }

  #finishPiece(): void {
    if (this.#filled === 0) return
    const piece = this.#piece.subarray(0, this.#filled)
    this.#piece = Buffer.allocUnsafe(PIECE_BYTES)
    this.#filled = 0
    this.#add(piece)
  }

  #add(piece: Buffer): void {
    this.#waiting.push(piece)
    if (this.#waiting.length >= MAX_WAITING_PIECES) this.#stream?.pause()
    this.#wake()
  }

  #end(outcome: { readonly error?: Error }): void {
    this.#outcome = outcome
    // Resumes the socket for the next statement, even if some pieces of this result are still unread.
    this.#stream?.resume()
    this.#wake()
  }
}

interface CopyInWork {
  readonly text: string
  readonly pieces: AsyncIterable<Uint8Array>
  readonly resolve: (rows: number) => void
  readonly reject: (error: unknown) => void
}

/** A COPY FROM STDIN statement. Sends the pieces of data as fast as the server accepts them. */
class CopyInQuery implements pg.Submittable {
  readonly #work: CopyInWork
  #rows = 0
  #isOver = false
  /**
   * The error with which the source of the pieces failed. The server's own error only says that the data ended early.
   */
  #cause: unknown

  constructor(work: CopyInWork) {
    this.#work = work
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#work.text)
  }

  handleCopyInResponse({ stream }: pg.Connection): void {
    void this.#send(stream)
  }

  handleCommandComplete({ text }: { text: string }): void {
    // The server's command tag ends with the number of rows, as in `COPY 20`.
    this.#rows = Number(text.slice(text.lastIndexOf(" ") + 1))
  }

  handleReadyForQuery(): void {
    this.#isOver = true
    this.#work.resolve(this.#rows)
  }

  handleError(error: Error): void {
    this.#isOver = true
    this.#work.reject(this.#cause ?? explain(error))
  }

  async #send(stream: Duplex): Promise<void> {
    try {
      await this.#sendPieces(stream)
      write(stream, COPY_DONE, Buffer.alloc(0))
    } catch (cause) {
      this.#cause = cause
      write(stream, COPY_FAIL, Buffer.from("the rows could not be read\0"))
    }
  }

  async #sendPieces(stream: Duplex): Promise<void> {
    for await (const piece of this.#work.pieces) {
      // The server has rejected a row, and ignores the remaining data.
      if (this.#isOver) return
      if (!write(stream, COPY_DATA, piece)) await drained(stream)
    }
  }
}

function write(stream: Duplex, code: number, content: Uint8Array): boolean {
  if (!stream.writable) return true
  const head = Buffer.alloc(5)
  head.writeUInt8(code)
  // The message's length field counts its own four bytes too.
  head.writeUInt32BE(content.length + 4, 1)
  stream.cork()
  stream.write(head)
  const hasRoom = stream.write(content)
  stream.uncork()
  return hasRoom
}

// Resolves when the socket can take more data, or is closed. A closed socket never drains, and the query then gets the
// connection's error.
function drained(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done).off("close", done)
      resolve()
    }
    stream.on("drain", done).on("close", done)
    if (stream.destroyed) done()
  })
}

function explain(error: unknown): Error {
  return error instanceof pg.DatabaseError ? error : connectionLost(toError(error))
}

import type { IncomingMessage, ServerResponse } from "node:http"

/** Reads the body of a request. Resolves to null if the body is longer than `maxBytes` or incomplete. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | null> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes || request.destroyed) return Promise.resolve(null)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) return void chunks.push(chunk)
      request.pause()
      resolve(null)
    })
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    // After an error the connection is broken, so the client gets no response in any case.
    request.on("error", () => resolve(null))
    request.on("close", () => resolve(null))
  })
}

const LINGER_MS = 3_000

/**
 * Responds to a request whose body is still arriving. Closes only the server's side of the connection, and discards the
 * rest of the body for up to 3 s: a client that is cut off while it sends never reads the response.
 */
export async function sendEarly(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  body: string | Uint8Array,
): Promise<void> {
  const { socket } = request
  if (body.length > 0) response.write(body)
  else response.flushHeaders()
  socket.end()
  await discardBody(request)
  socket.destroy()
}

function discardBody(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(finish, LINGER_MS)
    for (const event of ["end", "close", "error"]) request.once(event, finish)
    request.resume()
    if (request.destroyed) finish()
  })
}

/** Sends a stream as fast as the client reads it. Cancels the stream if the client disconnects. */
export async function sendStream(response: ServerResponse, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  const giveUp = () => void reader.cancel("The client is gone.").catch(() => undefined)
  response.once("close", giveUp)
  try {
    await sendParts(response, reader)
    response.end()
  } catch {
    // The response headers are already sent, so only closing the connection shows the client that the body is
    // incomplete.
    response.destroy()
  } finally {
    response.off("close", giveUp)
  }
}

async function sendParts(response: ServerResponse, reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (!response.write(part.value)) await drained(response)
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off("drain", go)
      response.off("close", go)
      resolve()
    }
    response.on("drain", go)
    response.on("close", go)
    if (response.destroyed) go()
  })
}

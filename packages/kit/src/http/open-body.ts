import type { OpenBody, OutgoingAnswer, OutletCallbacks } from "../ports/http.ts"

// The number of bytes that may be buffered for a slow reader before `write` returns false.
const HIGH_WATER_BYTES = 64 * 1024

const utf8 = new TextEncoder()

export function isOpenBody(body: OutgoingAnswer["body"]): body is OpenBody {
  return typeof body === "object" && "discard" in body
}

/** Returns the body as a web-standard stream. */
export function toReadableStream(body: OpenBody): ReadableStream<Uint8Array> {
  let listener: OutletCallbacks | undefined
  let hasEnded = false
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    listener = body.open({
      write: (...parts) => {
        if (hasEnded) return true
        for (const part of parts) controller.enqueue(typeof part === "string" ? utf8.encode(part) : part)
        return (controller.desiredSize ?? 0) > 0
      },
      end: () => {
        if (!hasEnded) controller.close()
        hasEnded = true
      },
      // Also runs after the stream has ended, because bytes may still be buffered for its reader. If no bytes are left,
      // the call of `controller.error` does nothing.
      destroy: () => {
        hasEnded = true
        controller.error(new Error("The stream was cut off."))
      },
    })
  }
  const cancel = () => {
    hasEnded = true
    listener?.onClosed()
  }
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_BYTES })
  return new ReadableStream<Uint8Array>({ start, pull: () => listener?.onDrained(), cancel }, strategy)
}

/** Returns the stream, and calls `onClosed` once: with true when all of it was read, with false if it was cut off. */
export function reportStreamEnd(
  body: ReadableStream<Uint8Array>,
  onClosed: (isComplete: boolean) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const part = await reader.read()
          if (!part.done) return controller.enqueue(part.value)
        } catch (error) {
          onClosed(false)
          return controller.error(error)
        }
        onClosed(true)
        controller.close()
      },
      async cancel(reason) {
        onClosed(false)
        await reader.cancel(reason)
      },
    },
    // Reads nothing before it is asked for, so that the sender notices how fast its reader is.
    { highWaterMark: 0 },
  )
}

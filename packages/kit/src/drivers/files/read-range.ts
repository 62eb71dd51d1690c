import type { FileHandle } from "node:fs/promises"
import type { ByteRange } from "../../ports/file-store.ts"

const READ_BYTES = 64 * 1024

/** Reads from the file only on demand. Closes it at the end of the range, after an error, or if the stream is cancelled. */
export function readRange(handle: FileHandle, { start, end }: ByteRange): ReadableStream<Uint8Array> {
  let position = start
  const read = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const length = Math.min(READ_BYTES, end - position)
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
    if (bytesRead === 0 && length > 0) throw new Error("A stored file is shorter than it was when it was written.")
    position += bytesRead
    if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead))
    if (position < end) return
    await handle.close()
    controller.close()
  }
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      await read(controller)
    } catch (error) {
      await handle.close().catch(() => undefined)
      throw error
    }
  }
  return new ReadableStream<Uint8Array>({ pull, cancel: () => handle.close() }, { highWaterMark: 0 })
}

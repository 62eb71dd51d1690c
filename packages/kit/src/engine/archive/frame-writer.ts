import { createHash } from "node:crypto"
import { FRAME, FRAME_HEAD_BYTES } from "./archive-format.ts"

/** Resolves when more bytes can be written. */
export type WriteBytes = (bytes: Uint8Array) => Promise<void>

const MAX_DATA_BYTES = 1024 * 1024

/** Writes the frames of an archive. The last frame holds a hash of all frames before it. */
export class FrameWriter {
  readonly #write: WriteBytes
  readonly #hash = createHash("sha256")

  constructor(write: WriteBytes) {
    this.#write = write
  }

  writeJson(kind: number, value: object): Promise<void> {
    return this.#writeFrame(kind, Buffer.from(JSON.stringify(value)))
  }

  async writeData(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; start += MAX_DATA_BYTES) {
      await this.#writeFrame(FRAME.data, bytes.subarray(start, start + MAX_DATA_BYTES))
    }
  }

  end(): Promise<void> {
    return this.writeJson(FRAME.end, { sha256: this.#hash.copy().digest("hex") })
  }

  async #writeFrame(kind: number, content: Uint8Array): Promise<void> {
    const head = Buffer.alloc(FRAME_HEAD_BYTES)
    head.writeUInt8(kind)
    head.writeUInt32BE(content.length, 1)
    const frame = Buffer.concat([head, content])
    this.#hash.update(frame)
    await this.#write(frame)
  }
}

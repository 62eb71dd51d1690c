export interface ImageSize {
  readonly width: number
  readonly height: number
}

/**
 * The number of bytes at the start of an image file that are searched for its width and height. Nearly every image has
 * them there. If an image has more metadata before them, its width and height are not stored.
 */
export const MEASURED_BYTES = 256 * 1024

/**
 * Returns the width and height of an image, read from its first bytes; undefined if these bytes do not contain the
 * size.
 */
export function imageSize(mimeType: string, head: Buffer): ImageSize | undefined {
  try {
    const size = READERS[mimeType]?.(head)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch {
    // The image is truncated: the parser read past the end of its bytes.
    return undefined
  }
}

const READERS: Readonly<Record<string, (head: Buffer) => ImageSize | undefined>> = {
  "image/png": (head) => ({ width: head.readUInt32BE(16), height: head.readUInt32BE(20) }),
  "image/gif": (head) => ({ width: head.readUInt16LE(6), height: head.readUInt16LE(8) }),
  "image/webp": webpSize,
  "image/jpeg": jpegSize,
}

function webpSize(head: Buffer): ImageSize | undefined {
  switch (head.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    case "VP8L": {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case "VP8X":
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

// Returns the size of a JPEG image. Skips segments up to the first start-of-frame marker, which is one of 0xC0 to 0xCF
// except for the table markers in that range.
function jpegSize(head: Buffer): ImageSize | undefined {
  let at = 2
  while (at + 9 <= head.length) {
    if (head[at] !== 0xff) return undefined
    const marker = head.readUInt8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) }
    at += 2 + head.readUInt16BE(at + 2)
  }
  return undefined
}

import { deflateSync } from "node:zlib"

export type Rgb = readonly [red: number, green: number, blue: number]

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const BITS_PER_CHANNEL = 8
const TRUE_COLOR = 2
/** A row is stored as the difference of each pixel from its left neighbour, which is mostly zero in a flat picture. */
const SUBTRACT_LEFT = 1

/** Returns the bytes of a PNG whose pixels have these colours. */
export function encodePng(
  { width, height }: { readonly width: number; readonly height: number },
  colorAt: (x: number, y: number) => Rgb,
): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([BITS_PER_CHANNEL, TRUE_COLOR], 8)
  const rows = Array.from({ length: height }, (_, y) => rowOf(width, (x) => colorAt(x, y)))
  const chunks = [
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]
  return Uint8Array.from(Buffer.concat([Buffer.from(SIGNATURE), ...chunks]))
}

function rowOf(width: number, colorAt: (x: number) => Rgb): Buffer {
  const row = Buffer.alloc(1 + width * 3)
  row[0] = SUBTRACT_LEFT
  let left: Rgb = [0, 0, 0]
  for (let x = 0; x < width; x++) {
    const [red, green, blue] = colorAt(x)
    row.set([Math.round(red) - left[0], Math.round(green) - left[1], Math.round(blue) - left[2]], 1 + x * 3)
    left = [Math.round(red), Math.round(green), Math.round(blue)]
  }
  return row
}

function chunk(type: string, data: Buffer): Buffer {
  const checked = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(checked))
  return Buffer.concat([length, checked, checksum])
}

/** The checksum that PNG prescribes for each chunk. */
function crc32(bytes: Uint8Array): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

import { varuint } from "./bare-client.ts"

/** A part of a forged update. Without `origin` and `right`, it names its parent. */
export interface ForgedItem {
  readonly content: readonly number[] | Uint8Array
  /** The number with which Yjs marks the kind of content. */
  readonly kind: number
  readonly origin?: ForgedId
  readonly right?: ForgedId
  /** The name of a root, or the item that holds a type. */
  readonly parent?: string | ForgedId
  readonly member?: string
}

export type ForgedId = readonly [client: number, clock: number]

interface ForgedUpdate {
  readonly client: number
  readonly clock: number
  readonly items: readonly Uint8Array[]
  readonly deletes?: readonly (readonly [client: number, clock: number, length: number])[]
}

const bytesOfText = (text: string) => Buffer.concat([varuint(Buffer.byteLength(text)), Buffer.from(text)])

/** The contents that a forged item can have. */
export const TEXT = (text: string) => ({ kind: 4, content: bytesOfText(text) })
export const DELETED = (length: number) => ({ kind: 1, content: varuint(length) })
export const FORMAT = (key: string, json: string) => ({
  kind: 6,
  content: Buffer.concat([bytesOfText(key), bytesOfText(json)]),
})
export const VALUES = (count: number) => ({
  kind: 8,
  content: Buffer.concat([varuint(count), Buffer.alloc(2 * count, Buffer.from([125, 5]))]),
})
export const TYPE = (type: number, name?: string) => ({
  kind: 7,
  content: Buffer.concat([varuint(type), name === undefined ? Buffer.alloc(0) : bytesOfText(name)]),
})

const bytesOfId = ([client, clock]: ForgedId) => Buffer.concat([varuint(client), varuint(clock)])

export function item({ kind, content, origin, right, parent = "body", member }: ForgedItem): Uint8Array {
  const info = kind | (origin ? 0x80 : 0) | (right ? 0x40 : 0) | (member === undefined ? 0 : 0x20)
  const holder = typeof parent === "string" ? [varuint(1), bytesOfText(parent)] : [varuint(0), bytesOfId(parent)]
  const place = [...holder, ...(member === undefined ? [] : [bytesOfText(member)])]
  return Buffer.concat([
    Buffer.from([info]),
    ...(origin ? [bytesOfId(origin)] : []),
    ...(right ? [bytesOfId(right)] : []),
    ...(origin || right ? [] : place),
    Uint8Array.from(content),
  ])
}

/** Parts without content: what was collected as garbage, and a gap. */
export const garbage = (length: number) => Buffer.concat([Buffer.from([0]), varuint(length)])
export const gap = (length: number) => Buffer.concat([Buffer.from([10]), varuint(length)])

/** Returns an update of one client, as no editor would make it. */
export function forgedUpdate({ client, clock, items, deletes = [] }: ForgedUpdate): Uint8Array {
  const head = [varuint(1), varuint(items.length), varuint(client), varuint(clock)]
  const deletions = deletes.flatMap(([of, from, length]) => [varuint(of), varuint(1), varuint(from), varuint(length)])
  return Buffer.concat([...head, ...items, varuint(deletes.length), ...deletions])
}

import type { SeededRandom } from "../seeded-random.ts"

/** The songs of a list: as its working copy has them, as its public copy has them, and in each version, oldest first. */
export interface OrderState {
  readonly draft: readonly string[]
  readonly published: readonly string[] | undefined
  readonly versions: readonly (readonly string[])[]
}

export type Move =
  | { readonly id: string; readonly before: string }
  | { readonly id: string; readonly after: string }
  | { readonly id: string; readonly to: "start" | "end" }

interface SongsInput {
  readonly set?: readonly string[]
  readonly disconnect?: readonly string[]
  readonly connect?: readonly string[]
  readonly move?: readonly Move[]
}

/** A write of a list, or of a song that names the list. */
export type OrderWrite =
  | { readonly kind: "list"; readonly songs: SongsInput }
  | { readonly kind: "copy"; readonly songs: SongsInput }
  | { readonly kind: "song"; readonly song: string; readonly way: "connect" | "disconnect" }
  | { readonly kind: "transition"; readonly stage: "draft" | "published" }
  | { readonly kind: "revert"; readonly version: number }

/** Returns the state after the write, or undefined if it is refused. */
export function written(state: OrderState, write: OrderWrite): OrderState | undefined {
  const { draft, published, versions } = state
  switch (write.kind) {
    case "list":
      return withVersion(state, changed(draft, write.songs), (songs) => ({ draft: songs }))
    case "copy":
      return withVersion(state, published && changed(published, write.songs), (songs) => ({ published: songs }))
    case "song":
      return fromSong(state, write)
    case "transition":
      return withVersion(state, draft, () => ({ published: write.stage === "draft" ? undefined : draft }))
    case "revert":
      return withVersion(state, versions[write.version - 1], (songs) => ({ draft: songs }))
    default:
      return write satisfies never
  }
}

// A link from the other end that changes nothing makes no version of the list.
function fromSong(state: OrderState, { song, way }: Extract<OrderWrite, { kind: "song" }>): OrderState | undefined {
  const isLinked = state.draft.includes(song)
  if (way === "connect" && isLinked) return state
  return withVersion(state, changed(state.draft, { [way]: [song] }), (songs) => ({ draft: songs }))
}

function withVersion(
  state: OrderState,
  songs: readonly string[] | undefined,
  changes: (songs: readonly string[]) => Partial<OrderState>,
): OrderState | undefined {
  return songs && { ...state, ...changes(songs), versions: [...state.versions, songs] }
}

function changed(songs: readonly string[], { set, disconnect = [], connect = [], move = [] }: SongsInput) {
  const start = set ?? songs
  if (!disconnect.every((id) => start.includes(id))) return undefined
  const kept = start.filter((id) => !disconnect.includes(id))
  const linked = [...kept, ...connect.filter((id) => !kept.includes(id))]
  return move.reduce<readonly string[] | undefined>((order, each) => order && movedIn(order, each), linked)
}

function movedIn(songs: readonly string[], move: Move): readonly string[] | undefined {
  if (!songs.includes(move.id)) return undefined
  const others = songs.filter((id) => id !== move.id)
  if ("to" in move) return move.to === "start" ? [move.id, ...others] : [...others, move.id]
  const [neighbor, isAfter] = "after" in move ? [move.after, true] : [move.before, false]
  if (!others.includes(neighbor)) return undefined
  return others.flatMap((id) => {
    if (id !== neighbor) return [id]
    return isAfter ? [id, move.id] : [move.id, id]
  })
}

/** Makes random writes. */
export class OrderWriter {
  readonly #random: SeededRandom
  readonly #songs: readonly string[]

  constructor(random: SeededRandom, songs: readonly string[]) {
    this.#random = random
    this.#songs = songs
  }

  write({ versions }: OrderState): OrderWrite {
    switch (this.#random.below(8)) {
      case 0:
        return { kind: "transition", stage: this.#random.below(4) === 0 ? "draft" : "published" }
      case 1:
        return { kind: "revert", version: 1 + this.#random.below(versions.length + 1) }
      case 2:
        return { kind: "copy", songs: this.#input() }
      case 3:
      case 4:
        return { kind: "song", song: this.#song(), way: this.#random.below(2) === 0 ? "connect" : "disconnect" }
      default:
        return { kind: "list", songs: this.#input() }
    }
  }

  #input(): SongsInput {
    const isPart = (bound: number) => this.#random.below(bound) === 0
    return {
      ...(isPart(3) && { set: this.#some(this.#songs.length) }),
      ...(isPart(4) && { disconnect: this.#some(1) }),
      ...(isPart(2) && { connect: this.#some(3) }),
      ...(isPart(2) && { move: this.#some(3).map((id) => this.#move(id)) }),
    }
  }

  #move(id: string): Move {
    const others = this.#songs.filter((song) => song !== id)
    const other = others[this.#random.below(others.length)] ?? ""
    const moves: Move[] = [
      { id, before: other },
      { id, after: other },
      { id, to: this.#random.below(2) === 0 ? "start" : "end" },
    ]
    return moves[this.#random.below(moves.length)] ?? { id, to: "start" }
  }

  #song(): string {
    return this.#songs[this.#random.below(this.#songs.length)] ?? ""
  }

  /** Returns different songs, up to this number of them, in a random order. */
  #some(most: number): string[] {
    return [...new Set(Array.from({ length: this.#random.below(most + 1) }, () => this.#song()))]
  }
}

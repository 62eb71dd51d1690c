import { diffSequences, type Hunk } from "./sequence-diff.ts"

/** A part of a text that is replaced: `length` code units at `index` become `text`. */
interface TextChange {
  readonly index: number
  readonly length: number
  readonly text: string
}

// Words are compared as a whole. In scripts that are written without spaces, each character counts as a word.
const TOKEN =
  /(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{M}\p{N}_])+|\s+|[\s\S]/gu

/** Returns the changes, in ascending order, that make one text of another. No change cuts a surrogate pair. */
export function textChanges(from: string, to: string): TextChange[] {
  if (from === to) return []
  const outer = narrow({ from, to, index: 0 })
  if (outer.from === "" || outer.to === "") return [changeOf(outer)]
  const numbers = new Map<string, number>()
  const oldTokens = outer.from.match(TOKEN) ?? []
  const newTokens = outer.to.match(TOKEN) ?? []
  const hunks = diffSequences(numbered(oldTokens, numbers), numbered(newTokens, numbers))
  return changesOf(hunks, { oldTokens, newTokens, index: outer.index })
}

interface Replacement {
  readonly from: string
  readonly to: string
  /** The index of `from` in the whole text. */
  readonly index: number
}

// Leaves out what both texts have in common at their beginning and at their end.
function narrow({ from, to, index }: Replacement): Replacement {
  const most = Math.min(from.length, to.length)
  let start = 0
  while (start < most && from.charCodeAt(start) === to.charCodeAt(start)) start++
  if (start > 0 && isHighSurrogate(from.charCodeAt(start - 1))) start--
  let end = 0
  while (end < most - start && from.charCodeAt(from.length - 1 - end) === to.charCodeAt(to.length - 1 - end)) end++
  if (end > 0 && isLowSurrogate(from.charCodeAt(from.length - end))) end--
  return { from: from.slice(start, from.length - end), to: to.slice(start, to.length - end), index: index + start }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function numbered(tokens: readonly string[], numbers: Map<string, number>): Int32Array {
  return Int32Array.from(tokens, (token) => {
    const number = numbers.get(token) ?? numbers.size
    numbers.set(token, number)
    return number
  })
}

interface Tokens {
  readonly oldTokens: readonly string[]
  readonly newTokens: readonly string[]
  readonly index: number
}

function changesOf(hunks: readonly Hunk[], { oldTokens, newTokens, index }: Tokens): TextChange[] {
  let place = index
  let token = 0
  return hunks.map((hunk) => {
    for (; token < hunk.from; token++) place += oldTokens[token]?.length ?? 0
    const from = oldTokens.slice(hunk.from, hunk.fromEnd).join("")
    const to = newTokens.slice(hunk.to, hunk.toEnd).join("")
    return changeOf(narrow({ from, to, index: place }))
  })
}

function changeOf({ from, to, index }: Replacement): TextChange {
  return { index, length: from.length, text: to }
}

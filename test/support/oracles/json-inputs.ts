import type { SeededRandom } from "../seeded-random.ts"

/**
 * Makes values near the border between valid and invalid: from valid examples, values that are known to be difficult,
 * and small changes of both.
 */
export function nearInputs(random: SeededRandom, examples: readonly unknown[]): () => unknown {
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item
  const known = [...examples, ...examples, ...examples, ...DIFFICULT]
  return () => {
    let value = structuredClone(pick(random.below(8) === 0 ? known : examples))
    for (let changes = random.below(4); changes > 0; changes -= 1) value = changed(value, pick, random)
    return value
  }
}

type Pick = <Item>(items: readonly Item[]) => Item

const CHARACTERS = ["\u{1F600}", "\uD800", "\uDC00", "\0", " ", "\t", "\n", "\uFEFF", "\u2028", "a", "A", "z", "İ", "K"]
const SIGNS = ["0", "9", "-", "+", ".", ":", "T", "Z", "e", "@", "/", "%", "é", "ß", "\u0307", "\u0001", "\u007F"]

const DIFFICULT: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  0.5,
  1e21,
  1e-7,
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 53 - 1,
  -(2 ** 53),
  "",
  " ",
  "007",
  "-0",
  "9223372036854775807",
  "9223372036854775808",
  "-9223372036854775808",
  "-9223372036854775809",
  "0000000000000000001",
  "00000000000000000001",
  "2024-02-29",
  "2023-02-29",
  "1900-02-29",
  "2000-02-29",
  "0000-01-01",
  "0001-01-01",
  "9999-12-31",
  "2026-05-04T10:30:00Z",
  "2026-05-04T24:00:00Z",
  "2026-05-04T24:00:01Z",
  "0001-01-01T00:00:00+01:00",
  "9999-12-31T23:59:59.999-00:01",
  "24:00",
  "\u{1F600}",
  "\uD83D",
  "a\0b",
  [],
  [null],
  [[]],
  ["a", "a"],
  {},
  { a: null },
  { "\0": 1 },
  { "\uD800": 1 },
  { id: "x" },
  { connect: null },
  { disconnect: true },
  { create: {} },
  { type: "doc", content: [] },
]

function changed(value: unknown, pick: Pick, random: SeededRandom): unknown {
  if (random.below(25) === 0) return pick(DIFFICULT)
  if (random.below(25) === 0) return [value]
  if (typeof value === "string") return changedText(value, pick, random)
  if (typeof value === "number") return changedNumber(value, pick)
  if (Array.isArray(value)) return changedList(value, pick, random)
  if (typeof value === "object" && value !== null) return changedObject(value, pick, random)
  return pick([value, pick(DIFFICULT)])
}

function changedText(text: string, pick: Pick, random: SeededRandom): unknown {
  const at = random.below(text.length + 1)
  const character = pick([...CHARACTERS, ...SIGNS])
  return pick<() => unknown>([
    () => text.slice(0, at) + character + text.slice(at),
    () => text.slice(0, at) + character + text.slice(at + 1),
    () => text.slice(0, at) + text.slice(at + 1),
    () => character.repeat(random.below(12)),
    () => ` ${text}\n`,
    () => text + text,
    () => text.toUpperCase(),
    () => text.toLowerCase(),
    () => text.replace(/[0-9]/, (digit) => String((Number(digit) + 1) % 10)),
    () => Number(text),
  ])()
}

function changedNumber(number: number, pick: Pick): unknown {
  const near = pick([number + 1, number - 1, number + 0.01, number - 0.01, number * 10, number / 10, -number, 0])
  return pick([near, near, near, String(near)])
}

function changedList(list: readonly unknown[], pick: Pick, random: SeededRandom): unknown {
  const at = random.below(list.length + 1)
  return pick<() => unknown>([
    () => list.slice(1),
    () => [...list, ...list],
    () => [...list, list[0] ?? null],
    () => [...list, pick(DIFFICULT)],
    () => list.map((item, index) => (index === at ? changed(item, pick, random) : item)),
    () => list.map((item, index) => (index === at ? changed(item, pick, random) : item)),
    () => list[0] ?? null,
  ])()
}

function changedObject(object: object, pick: Pick, random: SeededRandom): unknown {
  const entries = Object.entries(object)
  const at = random.below(entries.length + 1)
  const inner = () =>
    Object.fromEntries(entries.map(([key, part], index) => [key, index === at ? changed(part, pick, random) : part]))
  return pick<() => unknown>([
    inner,
    inner,
    inner,
    () => Object.fromEntries(entries.filter((_entry, index) => index !== at)),
    () => Object.fromEntries(entries.map(([key, part], index) => [index === at ? `${key}X` : key, part])),
    () => ({ ...object, [pick(["extra", "id", "type", "text", "content", "\0", ""])]: pick(DIFFICULT) }),
    () => Object.fromEntries(entries.map(([key, part], index) => [key, index === at ? null : part])),
  ])()
}

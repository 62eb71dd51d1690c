import { didYouMean } from "../../../wire/errors/did-you-mean.ts"
import {
  combinePartProblems,
  isProblem,
  type Parsed,
  type PartProblem,
  type ValueSource,
} from "../../compile/field-type.ts"
import { type ItemCounts, MAX_PROBLEMS, parseItems } from "../array.ts"
import { isPlainObject, parseJson } from "../json.ts"
import type { Member } from "../members/compile-members.ts"
import { parseMembers } from "../members/parse-members.ts"
import { ITEM_MEMBERS } from "./block.ts"

/** The members of each block, by its name. */
export type MembersByBlock = ReadonlyMap<string, readonly Member[]>

/** The form of an id that a caller sends: a UUID, and what editors and other systems use. */
export const ITEM_ID_PATTERN = "^[A-Za-z0-9_-]{1,64}$"
const ITEM_ID = new RegExp(ITEM_ID_PATTERN)

interface GivenBlocks {
  readonly value: unknown
  readonly source: ValueSource | undefined
  readonly counts: ItemCounts
}

/** Parses a list of blocks. Items without an id get theirs later, by `withIds`. */
export function parseBlocks(blocks: MembersByBlock, { value, source, counts }: GivenBlocks): Parsed {
  const list = parseItems(value, counts, (item) => parseItem(blocks, item, source))
  if (isProblem(list)) return list
  const [first, ...others] = findRepeatedIds(list.value).slice(0, MAX_PROBLEMS)
  return first ? combinePartProblems([first, ...others]) : list
}

function parseItem(blocks: MembersByBlock, item: unknown, source: ValueSource | undefined): Parsed {
  if (!isPlainObject(item)) return { problem: 'Expected an object with a "type" and the members of that block.' }
  const { type, id } = item
  const members = typeof type === "string" ? blocks.get(type) : undefined
  if (members === undefined) return parseUnknown(blocks, item, source)
  const { values, problems } = parseMembers(members, { object: item, source, otherNames: ITEM_MEMBERS })
  const [first, ...others] = [...findIdProblem(id), ...problems]
  return first
    ? combinePartProblems([first, ...others])
    : { value: { type, ...(id !== undefined && { id }), ...values } }
}

// An item of a block that the field no longer has stays in old versions, and comes back with them.
function parseUnknown(
  blocks: MembersByBlock,
  item: Readonly<Record<string, unknown>>,
  source: ValueSource | undefined,
): Parsed {
  const { type } = item
  if (source === "stored" && typeof type === "string") return parseJson(item)
  const names = [...blocks.keys()]
  const problem =
    typeof type === "string"
      ? `There is no block "${type}".${didYouMean(type, names)}`
      : `Expected the name of a block: ${names.join(", ")}.`
  return combinePartProblems([{ path: "type", problem }])
}

function findIdProblem(id: unknown): PartProblem[] {
  if (id === undefined || (typeof id === "string" && ITEM_ID.test(id))) return []
  return [{ path: "id", problem: "Expected 1 to 64 letters, digits, _ or -. Leave the id of a new item out." }]
}

function findRepeatedIds(items: readonly unknown[]): PartProblem[] {
  const seen = new Set<unknown>()
  return items.flatMap((item, index) => {
    // The cast is safe: `parseItem` returns only objects.
    const { id } = item as { readonly id?: unknown }
    if (id === undefined || !seen.has(id)) {
      seen.add(id)
      return []
    }
    return [{ path: `${index}.id`, problem: "Another item of the list has this id." }]
  })
}

import { didYouMean } from "../../../wire/errors/did-you-mean.ts"
import type { Field } from "../../builders/field.ts"
import {
  type FieldMember,
  type FieldType,
  isProblem,
  type Parsed,
  type PartCheck,
  type PartProblem,
  problemsAt,
  type ValueSource,
} from "../../compile/field-type.ts"
import type { Member } from "./compile-members.ts"

// A response names at most this many unknown members of an object, so that bad input costs little.
const MAX_UNKNOWN = 100

type PlainObject = Readonly<Record<string, unknown>>

interface ParsedMembers {
  readonly values: Readonly<Record<string, unknown>>
  readonly problems: PartProblem[]
}

/** An object with members, before it is parsed. */
interface GivenMembers {
  readonly object: PlainObject
  readonly source: ValueSource | undefined
  /** The names that the object may have beside those of the members. */
  readonly otherNames?: readonly string[]
}

/** Parses the members. A member without a value becomes null, so that stored JSON always has the same keys. */
export function parseMembers(
  members: readonly Member[],
  { object, source, otherNames = [] }: GivenMembers,
): ParsedMembers {
  const problems = unknownParts(new Set([...otherNames, ...members.map(({ name }) => name)]), object)
  const values: Record<string, unknown> = {}
  for (const member of members) {
    const result = parseMember(member, object, source)
    if (isProblem(result)) problems.push(...problemsAt(member.name, result))
    else values[member.name] = result.value
  }
  return { values, problems }
}

function unknownParts(known: ReadonlySet<string>, value: PlainObject): PartProblem[] {
  const unknown = Object.keys(value).filter((name) => !known.has(name) && value[name] !== undefined)
  return unknown
    .slice(0, MAX_UNKNOWN)
    .map((name) => ({ path: name, problem: `There is no field "${name}".${didYouMean(name, known)}` }))
}

function parseMember({ name, type, traits }: Member, object: PlainObject, source: ValueSource | undefined): Parsed {
  const given = Object.hasOwn(object, name) ? object[name] : undefined
  const value = given === undefined ? defaultOf(traits) : given
  if (value !== undefined && value !== null) return type.parse(value, source)
  return traits.required ? { problem: "Required." } : { value: null }
}

function defaultOf({ default: value }: Field["traits"]): unknown {
  return typeof value === "function" ? value() : value
}

/** Reads the members from stored JSON. Members that were declared after the record was written become null. */
export function readMembers(members: readonly FieldMember[], json: PlainObject): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const { name, type } of members) {
    const part = json[name] ?? null
    read[name] = part !== null && type.fromJson ? type.fromJson(part) : part
  }
  return read
}

/** Returns the author's checks of the members of a parsed object. */
export function checksOfMembers(members: readonly Member[], object: PlainObject): PartCheck[] {
  return members.flatMap(({ name, type, traits }) => {
    const value = object[name]
    if (value === null) return []
    const inner = type.checkParts?.(value) ?? []
    return [
      ...traits.validations.map((validation) => ({ path: name, value, validation })),
      ...inner.map((check) => ({ ...check, path: `${name}.${check.path}` })),
    ]
  })
}

/** Returns the function `withIds` of a parsed object with these members; undefined if none of them has blocks. */
export function withIdsInMembers(members: readonly FieldMember[]): FieldType["withIds"] {
  const withBlocks = members.filter(({ type }) => type.withIds)
  if (withBlocks.length === 0) return undefined
  return (value, newId) => {
    // The cast is safe: the function is called only with an object that a type with these members has parsed.
    const object = value as PlainObject
    const changed = withBlocks.filter(({ name }) => object[name] !== null)
    return {
      ...object,
      ...Object.fromEntries(changed.map(({ name, type }) => [name, type.withIds?.(object[name], newId)])),
    }
  }
}

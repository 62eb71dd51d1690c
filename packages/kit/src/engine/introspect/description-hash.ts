import { createHash } from "node:crypto"
import type { AccessRule } from "../../schema/access/access.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { plainValue } from "../read/answer-text.ts"
import { describeResource } from "./describe-resource.ts"
import { allRights, type KnownRights } from "./known-rights.ts"
import { Texts } from "./texts.ts"

/** The rights that the hash of a description covers. */
type HashedRights = Pick<KnownRights, "operations" | "transitions" | "stages" | "relations">

/**
 * Returns a value that changes whenever the description of the resource for this caller does. It covers what the author
 * declares, the evaluated rights to operations, stages and related collections, and the user, by whom field rules
 * decide. Field rules themselves are not evaluated for it, because the index has the hashes of all resources. So it
 * misses one kind of change: that of a field rule that reads the database.
 */
export function descriptionHash(ctx: OperationContext, resource: Resource, rights: HashedRights): string {
  const user = hasFieldRules(resource) && !ctx.isSystem ? (ctx.session?.user ?? null) : undefined
  const { operations, transitions, stages, relations } = rights
  const parts = [staticHash(ctx, resource), operations, [...transitions], [...stages], [...relations], user]
  return hashOf(JSON.stringify(parts, plainValue))
}

function hasFieldRules({ fields }: Resource): boolean {
  return [...fields.values()].some(({ access }) => Object.values(access).some((rule) => typeof rule === "function"))
}

const staticHashes = new WeakMap<Resource, Map<string, string>>()

// Returns the hash of all that the author declares about the resource, as it is described in the locale of the context.
function staticHash({ schema, locale }: OperationContext, resource: Resource): string {
  const hashes = staticHashes.get(resource) ?? new Map<string, string>()
  staticHashes.set(resource, hashes)
  const known = hashes.get(locale)
  if (known !== undefined) return known
  const description = describeResource(resource, allRights(resource), new Texts(schema.locales, locale))
  const rules = [...resource.fields.values()].map(({ name, hidden, access }) => [
    name,
    hidden,
    ...Object.entries(access).map(([operation, rule]) => [operation, ruleText(rule)]),
  ])
  const hash = hashOf(JSON.stringify([description, rules], plainValue))
  hashes.set(locale, hash)
  return hash
}

// The source of a rule stands for what it decides: a changed rule may decide otherwise.
function ruleText(rule: AccessRule | undefined): string {
  return String(rule)
}

const HASH_LENGTH = 22

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, HASH_LENGTH)
}

import type { AccessContext, AccessOperation } from "../../schema/access/access.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"
import { type Access, ALLOW, DENY } from "../../sql/filter/predicate.ts"
import type { OperationContext } from "../context/operation-context.ts"
import {
  accessBy,
  type CallFacts,
  fieldRule,
  handlerOfRule,
  isUnavailable,
  logFailedRule,
  ruleOf,
} from "./authorize.ts"
import type { NamedRule } from "./rule-cost.ts"

/** The result of a rule for a call that nobody has made. */
export type SupposedAccess =
  | Access
  /** The rule has denied the call after it looked at facts that only a real call has, such as the record's id. */
  | { readonly kind: "undecided" }

/** The facts of a call that nobody has made. It has no input. */
type SupposedFacts = Omit<CallFacts, "input">

const UNDECIDED: SupposedAccess = Object.freeze<SupposedAccess>({ kind: "undecided" })

/**
 * Evaluates rules for calls that the caller has not made, to describe what the caller may do. A rule that uses nothing
 * but the session is called once, however many resources and operations it protects.
 */
export class SupposedCalls {
  readonly #ctx: OperationContext
  readonly #outcomes = new Map<NamedRule["rule"], Promise<Outcome>>()

  constructor(ctx: OperationContext) {
    this.#ctx = ctx
  }

  /** Evaluates the rule for an operation on the resource. */
  async operation(resource: Resource, facts: SupposedFacts): Promise<SupposedAccess> {
    this.#ctx.tables.requireUsable(resource)
    const rule = ruleOf(resource, facts.operation)
    if (this.#ctx.isSystem || rule === true) return ALLOW
    if (typeof rule !== "function") return DENY
    return await this.#evaluate(resource, { rule, name: `${facts.operation} rule of "${resource.name}"` }, facts)
  }

  /** Evaluates the rule for an operation on a field of the resource. */
  async field(resource: Resource, field: ResourceField, facts: SupposedFacts): Promise<SupposedAccess> {
    if (this.#ctx.isSystem) return ALLOW
    if (field.hidden) return DENY
    const rule = fieldRule(field, facts.operation) ?? true
    if (typeof rule === "boolean") return rule ? ALLOW : DENY
    const name = `${facts.operation} rule of the field "${field.name}" of "${resource.name}"`
    return await this.#evaluate(resource, { rule, name }, facts)
  }

  async #evaluate(resource: Resource, rule: NamedRule, facts: SupposedFacts): Promise<SupposedAccess> {
    const outcome = await this.#outcomeOf(resource, rule, facts)
    try {
      if ("error" in outcome) throw outcome.error
      const access = accessBy(outcome.verdict, { ctx: this.#ctx, resource, rule })
      return access.kind === "deny" && outcome.usesCall ? UNDECIDED : access
    } catch (error) {
      if (isUnavailable(error)) throw error
      if (outcome.usesCall) return UNDECIDED
      this.#logOnce(rule, error)
      return DENY
    }
  }

  async #outcomeOf(resource: Resource, named: NamedRule, facts: SupposedFacts): Promise<Outcome> {
    const known = this.#outcomes.get(named.rule)
    if (known === undefined) {
      const outcome = callRule(this.#ctx, { named, resource, facts })
      this.#outcomes.set(named.rule, outcome)
      return await outcome
    }
    const outcome = await known
    return outcome.isShared ? outcome : await callRule(this.#ctx, { named, resource, facts })
  }

  // A description evaluates many rules that the caller has not asked for, and callers can request it often. Each rule
  // that fails is logged only once, so that this does not fill the log. Real calls log every failure.
  #logOnce({ rule, name }: NamedRule, error: unknown): void {
    if (logged.has(rule)) return
    logged.add(rule)
    logFailedRule(this.#ctx, name, error)
  }
}

const logged = new WeakSet<NamedRule["rule"]>()

type Outcome = ({ readonly verdict: unknown } | { readonly error: unknown }) & {
  /** True if the rule has looked at facts that only a real call has. */
  readonly usesCall: boolean
  /** True if the rule has used neither the facts of the call nor the database, so that every call of it ends alike. */
  readonly isShared: boolean
}

interface SupposedCall {
  readonly named: NamedRule
  readonly resource: Resource
  readonly facts: SupposedFacts
}

async function callRule(ctx: OperationContext, { named, resource, facts }: SupposedCall): Promise<Outcome> {
  const { rule, name } = named
  const watch: Watch = { usesCall: false, usesFacts: false, usesDatabase: false }
  // Inside the evaluation of another rule, the outcome may be the error about a rule that reads the data that it
  // protects, which belongs to this resource alone.
  const isInsideRule = ctx.evaluatingRules.length > 0
  const uses = () => ({
    usesCall: watch.usesCall,
    isShared: !(isInsideRule || watch.usesCall || watch.usesFacts || watch.usesDatabase),
  })
  try {
    const handler = handlerOfRule(ctx, { name, table: resource.table }, () => {
      watch.usesDatabase = true
    })
    const verdict: unknown = await rule(withWatchedFacts(handler, facts, watch))
    return { verdict, ...uses() }
  } catch (error) {
    return { error, ...uses() }
  }
}

/** Notes about the parts of its context that a rule has used. */
interface Watch {
  usesCall: boolean
  /** True if the rule has looked at the operation or at a fact that is known. */
  usesFacts: boolean
  usesDatabase: boolean
}

type Fact = "id" | "input" | "stage"

// The facts that real calls of each operation have. A supposed call that leaves one out does not know it.
const FACTS: Readonly<Record<AccessOperation, readonly Fact[]>> = {
  introspect: [],
  read: ["id"],
  create: ["input", "stage"],
  update: ["id", "input", "stage"],
  delete: ["id"],
  restore: ["id"],
  purge: ["id"],
  versions: ["id"],
  transition: ["id", "stage"],
  drafts: ["stage"],
  upload: [],
  serve: [],
}

// Adds the facts of the call as getters that note what the rule reads. No supposed call has an input: where a real call
// has one, it is empty, and its members are not known.
function withWatchedFacts(handler: HandlerContext, facts: SupposedFacts, watch: Watch): AccessContext {
  const noteFact = () => {
    watch.usesFacts = true
  }
  const noteCall = () => {
    watch.usesCall = true
  }
  const real = FACTS[facts.operation]
  const noteFor = (name: Fact) => (real.includes(name) && !Object.hasOwn(facts, name) ? noteCall : noteFact)
  const input = real.includes("input") ? watchedInput(noteCall) : undefined
  return Object.defineProperties(handler, {
    operation: watched(facts.operation, noteFact),
    id: watched(facts.id, noteFor("id")),
    stage: watched(facts.stage, noteFor("stage")),
    input: watched(input, noteFact),
    // The cast is safe: the four properties are those that an AccessContext adds to a HandlerContext.
  }) as AccessContext
}

function watched(value: unknown, note: () => void): PropertyDescriptor {
  const get = () => {
    note()
    return value
  }
  return { get, enumerable: true }
}

// Returns an empty input that notes every look at its members. Reading the input itself decides nothing, because
// authors destructure the context.
function watchedInput(note: () => void): object {
  const noted =
    <Arguments extends readonly unknown[], Result>(look: (...given: Arguments) => Result) =>
    (...given: Arguments): Result => {
      note()
      return look(...given)
    }
  return new Proxy(
    {},
    {
      get: noted(Reflect.get),
      has: noted(Reflect.has),
      ownKeys: noted(Reflect.ownKeys),
      getOwnPropertyDescriptor: noted(Reflect.getOwnPropertyDescriptor),
    },
  )
}

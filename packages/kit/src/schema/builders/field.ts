import type { WhereInput } from "../../wire/options/query-options.ts"
import type { FieldAccess } from "../access/access.ts"
import type { FieldType, IdTypeOf } from "../compile/field-type.ts"
import type { Validation } from "../compile/validation.ts"
import type { HandlerContext } from "../context/handler-context.ts"
import { inertCopy } from "../presentation/inert-copy.ts"
import type { AuthorText, FieldWidth, Text } from "../presentation/presentation.ts"

/** The settings that a field of any type can have. */
interface FieldTraits {
  readonly required: boolean
  readonly unique: boolean
  readonly index: boolean
  readonly containsIndex: boolean
  readonly localized: boolean
  readonly hidden: boolean
  readonly readOnly: boolean
  readonly collaborative: boolean
  readonly default?: unknown
  readonly label?: Text
  readonly description?: Text
  readonly placeholder?: Text
  readonly width?: FieldWidth
  readonly visible?: WhereInput
  readonly access?: FieldAccess
  readonly validations: readonly Validation[]
  readonly renamedFrom?: string
}

const PLAIN: FieldTraits = Object.freeze({
  required: false,
  unique: false,
  index: false,
  containsIndex: false,
  localized: false,
  hidden: false,
  readOnly: false,
  collaborative: false,
  validations: [],
})

/** A function that returns the value of a field in a new record. It should only read, because a write may be retried. */
export type DefaultFunction<Value> = (context: HandlerContext) => Optional<Value> | Promise<Optional<Value>>

type Optional<Value> = Value | null | undefined

/** The part of a field that resource declarations use in types. Comparing whole fields would slow the compiler down. */
export interface DeclaredField {
  readonly value: unknown
  readonly traits: FieldTraits
}

/** A field whose filter of `.visible()`, if it has one, is a filter on the resource with the filter type `Where`. */
export interface DeclaredFieldOf<Where> extends DeclaredField {
  readonly condition?: Condition<Where, keyof Where>
}

/** The type that `.visible()` adds to a field, by which the compiler checks the filter against the field's resource. */
interface Conditional<Where> {
  /** Exists only at compile time. */
  readonly condition: Condition<Where, keyof Where>
}

// The compiler would accept unknown names beside known ones if it compared only the filters.
interface Condition<Where, Name> {
  readonly where: Where
  readonly names: Name
}

/**
 * A field as an author declares it. It is immutable, and each method returns a changed copy. A subclass with many value
 * types, such as `SelectField`, redeclares `value` and passes `unknown` as `Value`. Otherwise the compiler would create
 * the type of this class again for each value type.
 */
export abstract class Field<Value = unknown, Rules = unknown> {
  readonly traits: FieldTraits
  readonly rules: Rules
  /** Exists only at compile time: the type of the field's input. */
  declare readonly value: Value

  constructor(rules: Rules, traits: FieldTraits = PLAIN) {
    this.rules = Object.freeze(rules)
    this.traits = Object.freeze(traits)
    Object.freeze(this)
  }

  /**
   * Compiles the field into a `FieldType`, which is the form that the rest of the framework uses. Parts of the field may
   * refer to other collections, whose ids have the types that `idTypeOf` returns; by default, those of ids from the
   * server.
   */
  abstract compile(idTypeOf?: IdTypeOf): FieldType

  /** Returns the mistakes in the field's declaration, as sentences for the author. */
  mistakes(): readonly string[] {
    return []
  }

  /** Makes the field required. A create must contain a value for it, and no write may set it to null. */
  required(): this {
    return this.withTraits({ required: true })
  }

  /**
   * Sets the field's value for a create that contains no value for it. A function is called for each such record, with
   * the context of the caller. It may be async, and it returns null or undefined for no value.
   *
   * f.relation("users").default(({ session }) => session?.user.id)
   */
  default(value: Value | DefaultFunction<Value>): this {
    return this.withTraits({ default: value })
  }

  /** Makes the field unique: no two records may have the same value in it. */
  unique(): this {
    return this.withTraits({ unique: true })
  }

  /**
   * Adds an index on the field, for filters that compare it and for the sort order. With "contains", the index is for
   * filters that look inside of a text: `contains`, `startsWith`, `endsWith`, `like` and `ilike`. A field can have both.
   *
   * f.text().index("contains")
   */
  index(kind?: "contains"): this {
    return this.withTraits(kind === "contains" ? { containsIndex: true } : { index: true })
  }

  /** Stores one value per locale. A read returns the value in the request's locale, or else in a fallback locale. */
  localized(): this {
    return this.withTraits({ localized: true })
  }

  /** Hides the field from callers. Only system code can read or write it. */
  hidden(): this {
    return this.withTraits({ hidden: true })
  }

  /** Makes the field read-only for callers. Only system code can write it. */
  readOnly(): this {
    return this.withTraits({ readOnly: true })
  }

  /** Sets the name of the field for people. Without it, they see the field's name in words. */
  label(label: AuthorText): this {
    return this.withTraits({ label: inertCopy(label) })
  }

  description(description: AuthorText): this {
    return this.withTraits({ description: inertCopy(description) })
  }

  /** Sets the text that a form shows in the place of a missing value. */
  placeholder(placeholder: AuthorText): this {
    return this.withTraits({ placeholder: inertCopy(placeholder) })
  }

  /** Sets the part of a form's width that the field takes. */
  width(width: FieldWidth): this {
    return this.withTraits({ width })
  }

  /**
   * Shows the field in a form only while the record matches a filter over its other fields. For a member of an object, it
   * is a filter over the other members. It restricts no access.
   *
   * f.url().visible({ kind: "video" })
   */
  visible<const Where extends WhereInput>(where: Where): this & Conditional<Where> {
    // The cast is safe: `condition` exists only at compile time.
    return this.withTraits({ visible: inertCopy(where) }) as this & Conditional<Where>
  }

  /**
   * Sets the access rules for reading, creating or updating this field. Without a rule, the collection's rule applies.
   * A rule that returns a `where` allows the operation on the field in the matching records.
   *
   * f.textarea().access({ read: ({ session }) => session && { owner: session.user.id } })
   */
  access(access: FieldAccess): this {
    return this.withTraits({ access: Object.freeze({ ...access }) })
  }

  /** Adds a check of the field's value: a Standard Schema, or a function that returns true or an error message. */
  validate(validation: Validation<Value>): this {
    // The cast is safe: the check is called only with values that this field's type has parsed.
    return this.withTraits({ validations: [...this.traits.validations, validation as Validation] })
  }

  /** Sets the field's previous name. The migration renames the column and keeps its values. */
  renamedFrom(name: string): this {
    return this.withTraits({ renamedFrom: name })
  }

  protected withRules(change: Partial<Rules>): this {
    return this.#copy({ ...this.rules, ...change }, this.traits)
  }

  protected withTraits(change: Partial<FieldTraits>): this {
    return this.#copy(this.rules, { ...this.traits, ...change })
  }

  #copy(rules: Rules, traits: FieldTraits): this {
    // The cast is safe: subclasses add methods but no constructor of their own, so the copy has the original's class.
    const Copy = this.constructor as new (rules: Rules, traits: FieldTraits) => this
    return new Copy(rules, traits)
  }
}

import type { FieldAccess } from "../access/access.ts"
import type { FieldType } from "../compile/field-type.ts"
import type { Validation } from "../compile/validation.ts"

/** What every field can say about itself, whatever its type. */
export interface FieldTraits {
  readonly required: boolean
  readonly unique: boolean
  readonly index: boolean
  readonly localized: boolean
  readonly hidden: boolean
  readonly readOnly: boolean
  readonly default?: unknown
  readonly label?: string
  readonly description?: string
  readonly access?: FieldAccess
  readonly validations: readonly Validation[]
  readonly renamedFrom?: string
}

const PLAIN: FieldTraits = Object.freeze({
  required: false,
  unique: false,
  index: false,
  localized: false,
  hidden: false,
  readOnly: false,
  validations: [],
})

/** What the types of a declaration need of a field: to compare a whole one with another costs the compiler a lot. */
export interface DeclaredField {
  readonly value: unknown
  readonly traits: FieldTraits
}

/**
 * A field as an author declares it: an immutable value; each method returns a changed copy. Those that an app has with many
 * types of values say them by themselves: a compiler would make a base class for each of the types.
 */
export abstract class Field<Value = unknown, Rules = unknown> {
  readonly traits: FieldTraits
  readonly rules: Rules
  /** Types only: what can be given for it. */
  declare readonly value: Value

  constructor(rules: Rules, traits: FieldTraits = PLAIN) {
    this.rules = Object.freeze(rules)
    this.traits = Object.freeze(traits)
    Object.freeze(this)
  }

  /** Compiles the field into the behaviour the engine uses. */
  abstract compile(): FieldType

  /** What is wrong with the declaration itself, in sentences for the author. */
  mistakes(): readonly string[] {
    return []
  }

  /** A create must give a value, and no write may set it to null. */
  required(): this {
    return this.#withTraits({ required: true })
  }

  /** The value used by a create that gives none; a function is called for each record. */
  default(value: Value | (() => Value)): this {
    return this.#withTraits({ default: value })
  }

  /** No two records may have the same value. */
  unique(): this {
    return this.#withTraits({ unique: true })
  }

  index(): this {
    return this.#withTraits({ index: true })
  }

  /** It has a value for each locale of the app; a read takes that of its locale, or of one that stands in for it. */
  localized(): this {
    return this.#withTraits({ localized: true })
  }

  /** Never leaves the server: only system code reads or writes it. */
  hidden(): this {
    return this.#withTraits({ hidden: true })
  }

  /** Callers read it; only system code writes it. */
  readOnly(): this {
    return this.#withTraits({ readOnly: true })
  }

  label(label: string): this {
    return this.#withTraits({ label })
  }

  description(description: string): this {
    return this.#withTraits({ description })
  }

  /**
   * Who may read, create or update this field. An operation without a rule follows the collection's rule; a rule that
   * returns a `where` holds in the records that match.
   *
   * f.textarea().access({ read: ({ session }) => session && { owner: session.user.id } })
   */
  access(access: FieldAccess): this {
    return this.#withTraits({ access: Object.freeze({ ...access }) })
  }

  /** A further check: a Standard Schema, or a function that returns true or the message of the problem. */
  validate(validation: Validation<Value>): this {
    // Called only with values that this field's own type has parsed, so the narrower parameter is safe.
    return this.#withTraits({ validations: [...this.traits.validations, validation as Validation] })
  }

  /** The name the field had before: its column is renamed, and its values stay. */
  renamedFrom(name: string): this {
    return this.#withTraits({ renamedFrom: name })
  }

  protected withRules(change: Partial<Rules>): this {
    return this.#copy({ ...this.rules, ...change }, this.traits)
  }

  #withTraits(change: Partial<FieldTraits>): this {
    return this.#copy(this.rules, { ...this.traits, ...change })
  }

  #copy(rules: Rules, traits: FieldTraits): this {
    // Subclasses add methods but no constructor of their own, so the copy has the class of the original.
    const Copy = this.constructor as new (rules: Rules, traits: FieldTraits) => this
    return new Copy(rules, traits)
  }
}

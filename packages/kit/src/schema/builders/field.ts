import type { FieldAccess } from "../access/access.ts"
import type { FieldType } from "../compile/field-type.ts"
import type { Validation } from "../compile/validation.ts"

/** The properties that fields of every type can have. */
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

/** The part of a field that the types of a declaration need; comparing whole fields would slow the compiler down. */
export interface DeclaredField {
  readonly value: unknown
  readonly traits: FieldTraits
}

/**
 * A field as an author declares it: an immutable value; each method returns a changed copy. Subclasses with many value
 * types, such as `SelectField`, declare `value` themselves: otherwise the compiler creates a base class for each type.
 */
export abstract class Field<Value = unknown, Rules = unknown> {
  readonly traits: FieldTraits
  readonly rules: Rules
  /** Types only: the input of the field. */
  declare readonly value: Value

  constructor(rules: Rules, traits: FieldTraits = PLAIN) {
    this.rules = Object.freeze(rules)
    this.traits = Object.freeze(traits)
    Object.freeze(this)
  }

  /** Compiles the field into the form that the engine uses. */
  abstract compile(): FieldType

  /** Returns the mistakes in the declaration itself, as sentences for the author. */
  mistakes(): readonly string[] {
    return []
  }

  /** Makes the field required: a create needs a value, and no write may set it to null. */
  required(): this {
    return this.#withTraits({ required: true })
  }

  /** Sets the value for a create without one; a function is called for each record. */
  default(value: Value | (() => Value)): this {
    return this.#withTraits({ default: value })
  }

  /** Makes the field unique: no two records may have the same value. */
  unique(): this {
    return this.#withTraits({ unique: true })
  }

  index(): this {
    return this.#withTraits({ index: true })
  }

  /** Gives the field a value per locale; a read returns the value of its locale, or of a fallback locale. */
  localized(): this {
    return this.#withTraits({ localized: true })
  }

  /** Hides the field: only system code reads or writes it. */
  hidden(): this {
    return this.#withTraits({ hidden: true })
  }

  /** Makes the field read-only for callers; only system code writes it. */
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
   * Sets the rules for reading, creating or updating this field. Without a rule, the collection's rule applies. A rule
   * that returns a `where` allows the operation in the matching records.
   *
   * f.textarea().access({ read: ({ session }) => session && { owner: session.user.id } })
   */
  access(access: FieldAccess): this {
    return this.#withTraits({ access: Object.freeze({ ...access }) })
  }

  /** Adds a check: a Standard Schema, or a function that returns true or an error message. */
  validate(validation: Validation<Value>): this {
    // Called only with values that this field's own type has parsed, so the narrower parameter is safe.
    return this.#withTraits({ validations: [...this.traits.validations, validation as Validation] })
  }

  /** Sets the previous name: the migration renames the column and keeps its values. */
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

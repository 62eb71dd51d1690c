import type { AccessRules } from "./access.ts"
import {
  type DeclaredFields,
  declareFields,
  emptyDefinition,
  type IndexDefinition,
  ResourceSteps,
  type SearchableDefinition,
  type ToolsOf,
} from "./definition.ts"
import type { Hooks } from "./hooks.ts"
import type { Builders } from "./register.ts"

/** The steps whose types are the same for every collection; the generated types of each one add the others. */
export class CollectionSteps extends ResourceSteps {
  /** Indexes over several fields: `.indexes([{ fields: ["team", "slug"], unique: true }])`. */
  indexes(indexes: readonly IndexDefinition[]): this {
    return this.changed({ indexes: Object.freeze([...indexes]) })
  }

  searchable(searchable: SearchableDefinition): this {
    return this.changed({ searchable: Object.freeze({ ...searchable }) })
  }
}

/** A set of records with the same fields. */
export class Collection<
  out Name extends string = string,
  Declared extends DeclaredFields = DeclaredFields,
> extends CollectionSteps {
  /** Types only: the declared fields, for the generated code. */
  declare readonly declared: Declared

  fields<Given extends DeclaredFields>(declare: (tools: ToolsOf<Name>) => Given): Collection<Name, Given> {
    return new Collection({ ...this.definition, fields: declareFields(declare) })
  }

  /** The field that stands for a record in lists and in search. */
  title(field: keyof Declared): this {
    return this.changed({ title: String(field) })
  }

  /** Who may do what. An operation without a rule is denied to everyone but system code. */
  access(rules: AccessRules<Name>): this {
    return this.withAccess(rules)
  }

  /** Code that takes part in reads and writes; that of a write runs in its transaction, and a throw rolls it back. */
  hooks(hooks: Hooks<Name, Declared>): this {
    return this.withHooks(hooks)
  }
}

/**
 * Declares a collection; its file exports it as default.
 *
 * export default collection("posts").fields(({ f }) => ({ title: f.text(200).required() })).access({ read: true })
 */
export function collection<Name extends keyof Builders>(name: Name): Builders[Name]
export function collection<const Name extends string>(name: Name): Collection<Name, Record<never, never>>
export function collection(name: string): Collection {
  return new Collection(emptyDefinition("collection", name))
}

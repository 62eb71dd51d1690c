import type { AccessRules } from "./access.ts"
import { type DeclaredFields, declareFields, emptyDefinition, ResourceSteps, type ToolsOf } from "./definition.ts"
import type { Hooks } from "./hooks.ts"

/** A single record, such as the settings of a site. */
export class Global<
  out Name extends string = string,
  Declared extends DeclaredFields = DeclaredFields,
> extends ResourceSteps {
  /** Types only: the declared fields, for the generated code. */
  declare readonly declared: Declared

  fields<Given extends DeclaredFields>(declare: (tools: ToolsOf<Name>) => Given): Global<Name, Given> {
    return new Global({ ...this.definition, fields: declareFields(declare) })
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
 * Declares a global; its file exports it as default.
 *
 * export default global("settings").fields(({ f }) => ({ name: f.text() })).access({ read: true })
 */
export function global<const Name extends string>(name: Name): Global<Name, Record<never, never>> {
  return new Global(emptyDefinition("global", name))
}

import type { AccessRules } from "../access/access.ts"
import type { GlobalBuilders } from "../context/register.ts"
import { type FormLayout, layOutForm } from "../presentation/form-tools.ts"
import type { PreviewFunction } from "../presentation/presentation.ts"
import {
  type DeclaredFields,
  declareFields,
  emptyDefinition,
  type FieldTools,
  type ResourceOptions,
  ResourceSteps,
} from "./definition.ts"
import type { Hooks } from "./hooks.ts"

/** The builder of a global: a resource with a single record, such as a site's settings. */
export class Global<Declared extends DeclaredFields = DeclaredFields> extends ResourceSteps {
  /** Exists only at compile time: the types of the declared fields, for the generated code. */
  declare readonly declared: Declared

  override fields<Given extends DeclaredFields>(declare: (tools: FieldTools) => Given): Global<Given> {
    return new Global({ ...this.definition, fields: declareFields(declare) })
  }

  override access(rules: AccessRules): this {
    return this.changed({ access: Object.freeze({ ...rules }) })
  }

  override hooks(hooks: Hooks): this {
    return this.withHooks(hooks)
  }

  override options(options: ResourceOptions): this {
    return this.withOptions(options)
  }

  override form(layout: FormLayout): this {
    return this.presented({ form: layOutForm(layout) })
  }

  override preview(urlOf: PreviewFunction): this {
    return this.presented({ preview: urlOf })
  }
}

/**
 * Declares a global. The global's file exports it as default.
 *
 * export default global("settings").fields(({ f }) => ({ name: f.text() })).access({ read: true })
 */
export function global<Name extends keyof GlobalBuilders>(name: Name): GlobalBuilders[Name]
export function global(name: string): Global<Record<never, never>>
export function global(name: string): object {
  return new Global(emptyDefinition("global", name))
}

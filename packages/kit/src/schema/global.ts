import { type DeclaredFields, declareFields, emptyDefinition, ResourceBuilder, type ToolsOf } from "./definition.ts"

/** A single record, such as the settings of a site. */
export class Global<
  out Name extends string = string,
  Declared extends DeclaredFields = DeclaredFields,
> extends ResourceBuilder<Name, Declared> {
  fields<Given extends DeclaredFields>(declare: (tools: ToolsOf<Name>) => Given): Global<Name, Given> {
    return new Global({ ...this.definition, fields: declareFields(declare) })
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

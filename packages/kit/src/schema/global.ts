import { declareFields, emptyDefinition, type Fields, type FieldsFunction, ResourceBuilder } from "./definition.ts"

/** A single record, such as the settings of a site. */
export class Global<out Name extends string = string, Declared extends Fields = Fields> extends ResourceBuilder<
  Name,
  Declared
> {
  fields<Given extends Fields>(declare: FieldsFunction<Given, Name>): Global<Name, Given> {
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

import { BooleanField } from "./fields/boolean.ts"
import { DatetimeField } from "./fields/datetime.ts"
import { JsonField } from "./fields/json.ts"
import { NumberField } from "./fields/number.ts"
import { RelationField } from "./fields/relation.ts"
import { SelectField } from "./fields/select.ts"
import { TextField } from "./fields/text.ts"

/** The `f` of `.fields(({ f }) => …)`: one function per type of field. */
export const fieldSet = Object.freeze({
  /** A line of text, at most `max` characters long. */
  text: (max?: number) => new TextField(max === undefined ? { name: "text" } : { name: "text", max }),
  /** Text of any length. */
  textarea: () => new TextField({ name: "textarea" }),
  /** A number; `.integer()`, `.bigint()` and `.decimal(precision, scale)` store other kinds. */
  number: () => new NumberField<number>({ storage: { kind: "double" } }),
  boolean: () => new BooleanField({}),
  /** A moment, with milliseconds. */
  datetime: () => new DatetimeField({}),
  /** One of the given options. */
  select: <const Option extends string>(options: readonly Option[]) => new SelectField<Option>({ options }),
  /** Any JSON value: `f.json<{ theme: string }>()`. */
  json: <Value = unknown>() => new JsonField<Value>({}),
  /** One record of another collection. */
  relation: (target: string) => new RelationField({ target }),
})

export type FieldSet = typeof fieldSet

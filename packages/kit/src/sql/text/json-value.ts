import type { FieldType } from "../../schema/compile/field-type.ts"
import type { Parameters } from "./fragment.ts"

/** A value inside of a JSON value, as an SQL expression, and its type as filter operators have to treat it. */
interface JsonValueSql {
  readonly sql: string
  readonly type: FieldType
}

/**
 * Returns the SQL of a value that is stored as JSON, for comparisons. It never fails: stored JSON of another type, which
 * a field has left behind that was declared differently, counts as null.
 */
export function jsonValueSql(json: string, type: FieldType, parameters: Parameters): JsonValueSql {
  if (type.sqlType.endsWith("[]")) return listSql(json, type, parameters)
  return scalarSql(json, type)
}

function scalarSql(json: string, type: FieldType): JsonValueSql {
  const text = `(${json} #>> '{}')`
  const { sqlType } = type
  if (sqlType === "boolean")
    return { sql: `(case when jsonb_typeof(${json}) = 'boolean' then ${json} end)::boolean`, type }
  if (NUMBERS.test(sqlType))
    return {
      sql: `(case when ${text} ~ '${DECIMAL}' then left(${text}, ${MAX_DIGITS}) end)::numeric`,
      type: { ...type, sqlType: "numeric" },
    }
  // Kit stores days, times and moments in forms of a fixed width, whose order by characters is that in time.
  if (MOMENTS.test(sqlType)) return { sql: `(${text} collate "C")`, type: { ...type, sqlType: "text" } }
  // The text that is stored may be no id, so that a cast could fail. Kit stores ids in the form that operands have, too.
  if (sqlType === "uuid") return { sql: text, type: { ...type, sqlType: "text" } }
  if (sqlType !== "jsonb") return { sql: text, type }
  if (type.operators === "json") return { sql: `nullif(${json}, 'null'::jsonb)`, type }
  return { sql: jsonListSql(json), type }
}

/** Returns the SQL of a stored JSON list; null if the stored JSON is something else. */
export function jsonListSql(json: string): string {
  return `(case when jsonb_typeof(${json}) = 'array' then ${json} end)`
}

const NUMBERS = /^(integer|bigint|double precision|numeric.*)$/
const MOMENTS = /^(date|time.*)$/
const DECIMAL = "^-?[0-9]+([.][0-9]+)?$"
// No number that kit stores has more characters, and PostgreSQL reads numbers of this length.
const MAX_DIGITS = 3_000

function listSql(json: string, type: FieldType, parameters: Parameters): JsonValueSql {
  const { element } = type
  if (element === undefined) throw new Error(`The type "${type.name}" is not a list type.`)
  const alias = parameters.alias()
  const item = scalarSql(`${alias}.item`, element)
  const items = `select ${item.sql} from jsonb_array_elements(${json}) ${alias}(item)`
  return {
    sql: `(case when jsonb_typeof(${json}) = 'array' then array(${items}) end)`,
    type: { ...type, sqlType: `${item.type.sqlType}[]`, element: item.type },
  }
}

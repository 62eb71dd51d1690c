import { Field } from "../builders/field.ts"
import type { FieldType, Parsed, SqlExpression } from "../compile/field-type.ts"
import { ComputedField } from "./computed.ts"
import { jsonType } from "./json.ts"
import { RelationField } from "./relation.ts"

interface VirtualRules {
  readonly type: Field
  readonly sql: string
}

/** A field whose value is an SQL expression over the columns of the record's row. The value is never stored. */
export class VirtualField<Value = unknown> extends Field<Value, VirtualRules> {
  override compile(): FieldType {
    const { type, sql } = this.rules
    // The check of the app's definition reports an invalid type or expression before this compiled type is used.
    const inner = type instanceof Field ? type.compile() : jsonType
    return { ...inner, parse: refuse, expression: parseExpression(String(sql)) ?? [] }
  }

  override mistakes(): readonly string[] {
    const { type, sql } = this.rules
    if (!(type instanceof Field))
      return ["is virtual without a type. Write f.virtual(f.number(), 'length(\"title\")')."]
    if (type instanceof RelationField || type instanceof ComputedField || type instanceof VirtualField)
      return ["has a virtual type that SQL cannot return. Use a type such as f.number()."]
    const own = type.mistakes()
    return own.length > 0 ? own : findSqlMistakes(sql)
  }
}

function refuse(): Parsed {
  return { problem: "This field is virtual." }
}

function findSqlMistakes(sql: unknown): string[] {
  if (typeof sql !== "string" || sql.trim() === "") return ["is virtual without SQL. Give an expression as text."]
  const expression = parseExpression(sql)
  if (expression === undefined) return ["has SQL with a quote that is not closed, or an escape string. Change it."]
  const isPlain = expression.every((part) => "column" in part || isQuoted(part.text) || !FORBIDDEN.test(part.text))
  return isPlain ? [] : ["has SQL with ;, $ or a comment in it. Give a single expression."]
}

// Matches characters that the SQL of a virtual field must not contain: they could end the statement of which the SQL
// becomes a part, comment out the rest of it, or refer to its parameters.
const FORBIDDEN = /[;$\0]|--|\/\*/
const ESCAPE_STRING = /(^|[^a-z0-9_])(e|u&)$/i
const TOKEN = /'(?:[^']|'')*'|"([^"]+)"|[^'"]+/gy

// Splits SQL into text and column references. Only names in double quotes count as columns, because other names cannot
// be distinguished from SQL keywords and functions.
function parseExpression(sql: string): SqlExpression | undefined {
  const parts: SqlExpression[number][] = []
  let end = 0
  let before = ""
  for (const match of sql.matchAll(TOKEN)) {
    const [token, column] = match
    if (token.startsWith("'") && ESCAPE_STRING.test(before)) return undefined
    parts.push(column === undefined ? { text: token } : { column })
    before = token
    end = match.index + token.length
  }
  return end === sql.length ? parts : undefined
}

function isQuoted(text: string): boolean {
  return text.startsWith("'")
}

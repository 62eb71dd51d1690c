import type { FieldLimits } from "../../wire/results/introspection.ts"
import type { JsonSchema } from "../../wire/results/json-schema.ts"
import { checkedByServer, type ServerCheck } from "./checked-by-server.ts"
import { beforeLowercase, beforeTrim, portablePattern, withSpaceAround } from "./portable-pattern.ts"
import { STORABLE_TEXT, trimmedLengthPattern } from "./text-patterns.ts"

/** A format of a text, such as that of an email address. */
export interface TextFormat {
  /**
   * A pattern without anchors, which is read with the flag `u`. It matches no text with white space in it, or it also
   * matches every part of a text that it matches. White space at the ends may then be added to the pattern.
   */
  readonly pattern: string
  /** The checks of the server besides the pattern. */
  readonly checks?: readonly ServerCheck[]
}

/** The rules of a text field that its JSON Schema expresses. */
interface TextLimits {
  readonly min?: number
  readonly max?: number
  readonly pattern?: RegExp
  readonly format?: TextFormat
  readonly trim?: boolean
  readonly lowercase?: boolean
}

interface TextDescription {
  readonly jsonSchema: { readonly input: JsonSchema; readonly output: JsonSchema }
  readonly limits: FieldLimits
}

/** Returns the JSON Schemas and the limits of a text field. */
export function describeText(rules: TextLimits): TextDescription {
  const { min, max } = rules
  const pattern = rules.pattern && portablePattern(rules.pattern)
  return Object.freeze({
    jsonSchema: Object.freeze({ input: Object.freeze(inputSchema(rules)), output: PLAIN_TEXT }),
    limits: Object.freeze({
      ...(min !== undefined && { minLength: min }),
      ...(max !== undefined && { maxLength: max }),
      ...(pattern !== undefined && { pattern }),
    }),
  })
}

const PLAIN_TEXT: JsonSchema = Object.freeze({ type: "string" })

// Lower case comes after the limits, and changes no text into one of another format.
function inputSchema(rules: TextLimits): JsonSchema {
  const pattern = authoredPattern(rules)
  const patterns = [...lengthPatterns(rules), ...formatPatterns(rules), ...(pattern === undefined ? [] : [pattern])]
  const schema: JsonSchema = {
    type: "string",
    ...(rules.trim ? {} : lengthKeywords(rules)),
    pattern: STORABLE_TEXT,
    ...(patterns.length > 0 && { allOf: patterns.map((each) => ({ pattern: each })) }),
  }
  const isUnsaid = rules.pattern !== undefined && pattern === undefined
  return checkedByServer(schema, [...(rules.format?.checks ?? []), ...(isUnsaid ? ["pattern" as const] : [])])
}

function lengthKeywords({ min, max }: TextLimits): JsonSchema {
  return { ...(min !== undefined && { minLength: min }), ...(max !== undefined && { maxLength: max }) }
}

function lengthPatterns({ min, max, trim }: TextLimits): string[] {
  return trim && (min !== undefined || max !== undefined) ? [trimmedLengthPattern({ min, max })] : []
}

function formatPatterns({ format, trim }: TextLimits): string[] {
  if (format === undefined) return []
  return [trim ? withSpaceAround(format.pattern) : `^(?:${format.pattern})$`]
}

function authoredPattern({ pattern, trim, lowercase }: TextLimits): string | undefined {
  const stored = pattern && portablePattern(pattern)
  const trimmed = lowercase && stored !== undefined ? beforeLowercase(stored) : stored
  return trim && trimmed !== undefined ? beforeTrim(trimmed) : trimmed
}

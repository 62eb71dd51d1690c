import { RESERVED_IDS } from "../../wire/paths/paths.ts"
import type { FieldType, Parsed } from "../compile/field-type.ts"
import { isLongerThan } from "../json-schema/characters.ts"

const MAX_LENGTH = 200

/**
 * The type of an id that the caller of a create chooses. The id is stored unchanged and is case-sensitive. Its column
 * has the database's default collation, because columns that refer to the id must have the same collation.
 */
export const clientIdType: FieldType = Object.freeze<FieldType>({
  name: "id",
  sqlType: "text",
  operators: "id",
  typescript: { output: "string", input: "string" },
  jsonSchema: Object.freeze({
    input: Object.freeze({
      type: "string",
      maxLength: MAX_LENGTH,
      pattern: "^[^\\p{Cc}\\uD800-\\uDFFF/]+$",
      not: { enum: [".", "..", ...RESERVED_IDS] },
    }),
    output: Object.freeze({ type: "string" }),
  }),
  limits: Object.freeze({ minLength: 1, maxLength: MAX_LENGTH }),
  parse: parseClientId,
  parseOperand,
  parseText: parseOperand,
})

function parseClientId(value: unknown): Parsed {
  if (typeof value !== "string") return { problem: "Expected the id of a record." }
  const problem = findProblem(value)
  return problem === undefined ? { value } : { problem }
}

// Returns an error message, or undefined if the id is valid. An id must fit into one segment of its record's URL path.
function findProblem(id: string): string | undefined {
  if (id === "") return "Must not be empty."
  if (isLongerThan(id, MAX_LENGTH)) return `Must have at most ${MAX_LENGTH} characters.`
  if (!id.isWellFormed()) return "Must be well-formed Unicode."
  if (/\p{Control}/u.test(id)) return "Must not contain control characters."
  if (id.includes("/")) return 'Must not contain "/".'
  if (id === "." || id === "..") return `Must not be "${id}", which means another path.`
  return RESERVED_IDS.has(id) ? `Must not be "${id}", which is a path of the API.` : undefined
}

// Parses an id in a filter. A string that is not a valid id is accepted there, and matches no record.
function parseOperand(value: unknown): Parsed {
  if (typeof value !== "string") return { problem: "Expected the id of a record." }
  if (value.includes("\0")) return { problem: "Must not contain the character U+0000." }
  return value.isWellFormed() ? { value } : { problem: "Must be well-formed Unicode." }
}

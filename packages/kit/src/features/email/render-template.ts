import type { EmailContent, EmailDefinition } from "../../schema/builders/email.ts"
import { parseBySchema } from "../../schema/builders/parse-by-schema.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { CompiledEmails } from "./compile-emails.ts"

/** Validates the input with the template's schema, then renders the template with it. */
export async function renderTemplate(emails: CompiledEmails, key: string, input: unknown): Promise<EmailContent> {
  const definition = emails.get(key)
  if (definition === undefined) throw unknownTemplate(emails, key)
  const content: unknown = await definition.handler({ input: await parseInput(definition, input) })
  if (!isContent(content)) throw new Error(`The email "${definition.name}" must return { subject, html }, both texts.`)
  return content
}

async function parseInput({ schema }: EmailDefinition, input: unknown): Promise<unknown> {
  const parsed = await parseBySchema(schema, input)
  if ("value" in parsed) return parsed.value
  const fieldErrors = parsed.fieldErrors.map(({ path, message }) => ({
    path: path === "" ? "input" : `input.${path}`,
    message,
  }))
  throw new ApiError("VALIDATION_ERROR", { fieldErrors })
}

function isContent(value: unknown): value is EmailContent {
  if (typeof value !== "object" || value === null) return false
  return typeof Reflect.get(value, "subject") === "string" && typeof Reflect.get(value, "html") === "string"
}

function unknownTemplate(emails: CompiledEmails, key: string): Error {
  const known = [...emails.keys()]
  const remedy = known.length === 0 ? " Add a file to src/emails." : didYouMean(String(key), known)
  return new Error(`There is no email "${key}".${remedy}`)
}

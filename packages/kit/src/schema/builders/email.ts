import { checkNames } from "../compile/known-names.ts"
import {
  type AnySchema,
  isSchema,
  type SchemaInput,
  type SchemaOutput,
  type StandardSchema,
} from "../compile/validation.ts"

/** What a template makes of its input. Values that people wrote go through `escapeHtml` on their way into `html`. */
export interface EmailContent {
  readonly subject: string
  readonly html: string
}

/** What an author has said about a template. */
export interface EmailDefinition {
  readonly kind: "email"
  readonly name: string
  readonly schema: StandardSchema
  readonly handler: (context: { readonly input: unknown }) => EmailContent | Promise<EmailContent>
}

interface EmailOptions<Schema extends AnySchema> {
  /** Names the template in the log. Code that sends it uses the name of its file. */
  readonly name: string
  /** Checks the input; any library that follows Standard Schema will do. */
  readonly schema: Schema
  readonly handler: (context: { readonly input: SchemaOutput<Schema> }) => EmailContent | Promise<EmailContent>
}

/** A template, as its file exports it. */
export class EmailTemplate<out Given = unknown> {
  readonly definition: EmailDefinition
  /** Types only: what is given to send it, for the generated code. */
  declare readonly given: Given

  constructor(definition: EmailDefinition) {
    this.definition = Object.freeze(definition)
    Object.freeze(this)
  }
}

/** What is given to send a template; generated code names it. */
export type EmailInput<Template extends { readonly given: unknown }> = Template["given"]

/**
 * Declares a template; `email.sendTemplate({ template, input, to })` finds it under the name of its file.
 *
 * export default email({
 *   name: "invite",
 *   schema: z.object({ from: z.string() }),
 *   handler: ({ input }) => ({ subject: "Join us", html: `<p>${escapeHtml(input.from)} invites you.</p>` }),
 * })
 */
export function email<Schema extends AnySchema>(options: EmailOptions<Schema>): EmailTemplate<SchemaInput<Schema>> {
  const { name, schema, handler } = options
  if (typeof name !== "string" || name === "") throw new TypeError('An email has a name, such as "invite".')
  if (!isSchema(schema))
    throw new TypeError("The schema of an email is a Standard Schema, such as z.object({ … }) of zod.")
  if (typeof handler !== "function") {
    throw new TypeError("An email has a function handler: ({ input }) => ({ subject, html }).")
  }
  checkNames("An email", options, ["name", "schema", "handler"])
  // It is called with what the schema has made.
  return new EmailTemplate({ kind: "email", name, schema, handler: handler as EmailDefinition["handler"] })
}

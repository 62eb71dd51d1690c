import { assertKnownKeys } from "../compile/assert-known-keys.ts"
import {
  type AnySchema,
  isSchema,
  type SchemaInput,
  type SchemaOutput,
  type StandardSchema,
} from "../compile/validation.ts"

/** The rendered mail of a template. Pass user input through `escapeHtml` before it goes into `html`. */
export interface EmailContent {
  readonly subject: string
  readonly html: string
}

/** The declaration of a template. */
export interface EmailDefinition {
  readonly kind: "email"
  readonly name: string
  readonly schema: StandardSchema
  readonly handler: (context: { readonly input: unknown }) => EmailContent | Promise<EmailContent>
}

interface EmailOptions<Schema extends AnySchema> {
  /** The name of the template in the log. Code that sends the template uses the name of its file. */
  readonly name: string
  /** Validates the input; any Standard Schema library works. */
  readonly schema: Schema
  readonly handler: (context: { readonly input: SchemaOutput<Schema> }) => EmailContent | Promise<EmailContent>
}

/** A template, as its file exports it. */
export class EmailTemplate<out Given = unknown> {
  readonly definition: EmailDefinition
  /** Types only: the input for sending the template, for the generated code. */
  declare readonly given: Given

  constructor(definition: EmailDefinition) {
    this.definition = Object.freeze(definition)
    Object.freeze(this)
  }
}

/** The type of the input for sending a template, for generated code. */
export type EmailInput<Template extends { readonly given: unknown }> = Template["given"]

/**
 * Declares a template; `email.sendTemplate({ template, input, to })` uses the name of its file.
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
  assertKnownKeys("An email", options, ["name", "schema", "handler"])
  // Safe: the handler is called only with the output of the schema.
  return new EmailTemplate({ kind: "email", name, schema, handler: handler as EmailDefinition["handler"] })
}

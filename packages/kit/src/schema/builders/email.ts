import { assertKnownKeys } from "../compile/assert-known-keys.ts"
import {
  type AnySchema,
  isSchema,
  type SchemaInput,
  type SchemaOutput,
  type StandardSchema,
} from "../compile/validation.ts"

/**
 * The mail that an email template's handler returns. Pass user input through `escapeHtml` before it is put in `html`.
 */
export interface EmailContent {
  readonly subject: string
  readonly html: string
}

/** The checked declaration of an email template. */
export interface EmailDefinition {
  readonly kind: "email"
  readonly name: string
  readonly schema: StandardSchema
  readonly handler: (context: { readonly input: unknown }) => EmailContent | Promise<EmailContent>
}

interface EmailOptions<Schema extends AnySchema> {
  /** The template's name in log lines. Code that sends the template refers to it by the name of its file instead. */
  readonly name: string
  /** The schema that validates the template's input. Any Standard Schema library works. */
  readonly schema: Schema
  readonly handler: (context: { readonly input: SchemaOutput<Schema> }) => EmailContent | Promise<EmailContent>
}

/** An email template, as its file exports it. */
export class EmailTemplate<out Given = unknown> {
  readonly definition: EmailDefinition
  /** Exists only at compile time: the type of the template's input, for the generated code. */
  declare readonly given: Given

  constructor(definition: EmailDefinition) {
    this.definition = Object.freeze(definition)
    Object.freeze(this)
  }
}

/** The type of the input that sending an email template requires. Generated code uses it. */
export type EmailInput<Template extends { readonly given: unknown }> = Template["given"]

/**
 * Declares an email template. `email.sendTemplate({ template, input, to })` refers to it by the name of its file.
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
  // The cast is safe: the handler is called only with the schema's output.
  return new EmailTemplate({ kind: "email", name, schema, handler: handler as EmailDefinition["handler"] })
}

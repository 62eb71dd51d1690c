import { type EmailInput, email, type KeyValues, type Mailer } from "kit"
import { z } from "zod"

// Type checks of templates, mail and key-value stores; nothing here runs.

type Same<Left, Right> =
  (<Value>() => Value extends Left ? 1 : 2) extends <Value>() => Value extends Right ? 1 : 2 ? true : false

const invite = email({
  name: "invite",
  schema: z.object({ from: z.string(), sentAt: z.string().transform((text) => new Date(text)) }),
  handler: ({ input }) => ({ subject: input.from, html: input.sentAt.toISOString() }),
})

export const given: Same<EmailInput<typeof invite>, { from: string; sentAt: string }> = true

email({
  name: "broken",
  schema: z.object({ from: z.string() }),
  // @ts-expect-error The schema makes no such field.
  handler: ({ input }) => ({ subject: input.form, html: "" }),
})

email({
  name: "broken",
  schema: z.object({}),
  // @ts-expect-error A mail has HTML.
  handler: () => ({ subject: "" }),
})

export async function send(mailer: Mailer, kv: KeyValues): Promise<void> {
  await mailer.send({ to: ["a@x.test"], subject: "Hi", html: "x" })
  // @ts-expect-error A mail goes to somebody.
  await mailer.send({ subject: "Hi", html: "x" })
  const rates = await kv.get<Record<string, number>>("rates")
  // @ts-expect-error Perhaps there is none.
  rates["eur"]
  const unknown = await kv.get("rates")
  // @ts-expect-error Nobody has said what it is.
  unknown.toString()
  // @ts-expect-error A lifetime is a number of seconds.
  await kv.set("key", 1, { ttl: "1h" })
}

import type { RegisteredEmails } from "./register.ts"

/** Where a mail goes. */
export interface MailAddresses {
  /** One address, or a list of up to 50 that all see each other: `"ann@example.com"`. Names are not part of it. */
  readonly to: string | readonly string[]
  /** Where answers go, if not to the sender. */
  readonly replyTo?: string | undefined
}

export interface NewMail extends MailAddresses {
  readonly subject: string
  readonly html: string
  /** Made from the HTML unless given. */
  readonly text?: string | undefined
}

export interface NewTemplateMail<Name extends keyof RegisteredEmails> extends MailAddresses {
  /** The name of the file in `emails/`. */
  readonly template: Name
  readonly input: RegisteredEmails[Name]
}

/**
 * Sends mail. In a transaction it is checked at once and leaves after the commit, or never if that does not come;
 * a failure of the mail server then is only logged. Elsewhere the promise rejects when the mail cannot be handed over.
 * A mail that must not get lost belongs into a job, which tries again.
 */
export interface Mailer {
  send(mail: NewMail): Promise<void>
  /**
   * Sends what a template makes of the input.
   *
   * await email.sendTemplate({ template: "invite", to: input.email, input: { from: session.user.name } })
   */
  sendTemplate<Name extends keyof RegisteredEmails & string>(mail: NewTemplateMail<Name>): Promise<void>
}

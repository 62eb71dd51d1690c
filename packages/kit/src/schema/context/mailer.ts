import type { RegisteredEmails } from "./register.ts"

/** The addresses to which a mail and its replies are sent. */
interface MailAddresses {
  /**
   * The recipients: one address such as `"ann@example.com"`, or up to 50, which every recipient can see. Display names
   * are not allowed.
   */
  readonly to: string | readonly string[]
  /** The address for replies, if it differs from the sender's address. */
  readonly replyTo?: string | undefined
}

export interface NewMail extends MailAddresses {
  readonly subject: string
  readonly html: string
  /** The mail as plain text. Generated from the HTML unless set. */
  readonly text?: string | undefined
}

export interface NewTemplateMail<Name extends keyof RegisteredEmails> extends MailAddresses {
  /** The name of the template's file in `emails/`. */
  readonly template: Name
  readonly input: RegisteredEmails[Name]
}

/**
 * Sends mail. Inside a transaction, a mail is checked immediately and sent only after the commit, so a failure of the
 * mail server is only logged. Outside a transaction, the promise rejects if the mail server does not accept the mail.
 * If a mail must not get lost, send it in a job, because jobs are retried.
 */
export interface Mailer {
  send(mail: NewMail): Promise<void>
  /**
   * Renders an email template with the input and sends the resulting mail.
   *
   * await email.sendTemplate({ template: "invite", to: input.email, input: { from: session.user.name } })
   */
  sendTemplate<Name extends keyof RegisteredEmails & string>(mail: NewTemplateMail<Name>): Promise<void>
}

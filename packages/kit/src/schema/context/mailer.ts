import type { RegisteredEmails } from "./register.ts"

/** The addresses of a mail. */
export interface MailAddresses {
  /** One address such as `"ann@example.com"`, or up to 50, visible to each other; without display names. */
  readonly to: string | readonly string[]
  /** The address for replies, if it is not the sender. */
  readonly replyTo?: string | undefined
}

export interface NewMail extends MailAddresses {
  readonly subject: string
  readonly html: string
  /** The plain text; generated from the HTML unless set. */
  readonly text?: string | undefined
}

export interface NewTemplateMail<Name extends keyof RegisteredEmails> extends MailAddresses {
  /** The name of the file in `emails/`. */
  readonly template: Name
  readonly input: RegisteredEmails[Name]
}

/**
 * Sends mail. Inside a transaction the mail is checked immediately and sent after the commit, or never on a rollback;
 * a failure of the mail server is then only logged. Otherwise the promise rejects if the server does not accept it.
 * Send a mail that must not get lost from a job, which is retried.
 */
export interface Mailer {
  send(mail: NewMail): Promise<void>
  /**
   * Renders a template with the input and sends the result.
   *
   * await email.sendTemplate({ template: "invite", to: input.email, input: { from: session.user.name } })
   */
  sendTemplate<Name extends keyof RegisteredEmails & string>(mail: NewTemplateMail<Name>): Promise<void>
}

/** A mail as it leaves the app. Its addresses are checked, and its subject is one line. */
export interface Mail {
  readonly from: MailSender
  /** The recipients' email addresses, without display names. */
  readonly to: readonly string[]
  readonly replyTo?: string | undefined
  readonly subject: string
  readonly html: string
  readonly text: string
}

export interface MailSender {
  readonly name?: string | undefined
  readonly address: string
}

/** Delivers mails, or stores them for inspection. */
export interface MailTransport {
  /** Resolves once the receiving mail server, or the store, has accepted the mail; otherwise rejects. */
  send(mail: Mail): Promise<void>
  close?(): Promise<void>
}

/** A mail that was stored for inspection instead of being delivered. */
export interface StoredMail {
  readonly id: string
  /** The sender in display form: `Newsroom <news@example.com>`. */
  readonly from: string
  readonly to: readonly string[]
  readonly replyTo: string | undefined
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly createdAt: Date
}

export type StoredMailSummary = Pick<StoredMail, "id" | "to" | "subject" | "createdAt">

/** Reads the mails that were stored for inspection, newest first. */
export interface MailArchive {
  list(): Promise<readonly StoredMailSummary[]>
  find(id: string): Promise<StoredMail | undefined>
}

/** A message as it leaves the app: its addresses are checked, and its subject is one line. */
export interface Mail {
  readonly from: MailSender
  /** Addresses without names. */
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

/** Something that delivers mail, or keeps it. */
export interface MailTransport {
  /** Resolves once somebody else has taken the mail over; rejects when nobody has. */
  send(mail: Mail): Promise<void>
  close?(): Promise<void>
}

/** A mail that was kept to be looked at. */
export interface KeptMail {
  readonly id: string
  /** As people read it: `Newsroom <news@example.com>`. */
  readonly from: string
  readonly to: readonly string[]
  readonly replyTo: string | undefined
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly createdAt: Date
}

export type KeptMailLine = Pick<KeptMail, "id" | "to" | "subject" | "createdAt">

/** Mail that was kept, newest first. */
export interface MailKeeper {
  list(): Promise<readonly KeptMailLine[]>
  find(id: string): Promise<KeptMail | undefined>
}

/** A message to one person. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
}

/** Something that delivers mail, or keeps it. */
export interface MailTransport {
  send(mail: Mail): Promise<void>
}

import { Background } from "../../engine/context/background.ts"
import { readMembers } from "../../engine/context/read-members.ts"
import type { Connection, Transaction } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { Mail, MailSender, MailTransport } from "../../ports/mail-transport.ts"
import type { Mailer, NewMail } from "../../schema/context/mailer.ts"
import type { CompiledEmails } from "./compile-emails.ts"
import { readMail } from "./read-mail.ts"
import { renderTemplate } from "./render-template.ts"

interface MailerDependencies {
  readonly transport: MailTransport
  readonly from: MailSender
  readonly emails: CompiledEmails
  readonly logger: Logger
}

export interface Mailers {
  /** Returns a mailer for this connection. On a transaction it sends mails after the commit, otherwise immediately. */
  on(connection: Connection): Mailer
  /** Resolves when every mail that waited for a commit has been delivered or has failed. */
  drain(): Promise<void>
}

/** Creates the mailers of an app, one per connection. */
export function createMailers({ transport, from, emails, logger }: MailerDependencies): Mailers {
  const background = new Background(logger)
  const deliver = async (mail: Mail) => {
    await transport.send(mail)
  }
  const handOver = (connection: Connection, mail: Mail): Promise<void> => {
    if (!isTransaction(connection)) return deliver(mail)
    // The mail is sent after the commit, so a failing mail server cannot fail the request.
    connection.afterCommit(() => background.run(`The mail to ${mail.to.join(", ")}`, deliver(mail)))
    return Promise.resolve()
  }
  const on = (connection: Connection): Mailer => ({
    send: async (mail: NewMail) => {
      readMembers(mail, ["to", "replyTo", "subject", "html", "text"])
      await handOver(connection, readMail(mail, from))
    },
    sendTemplate: async (mail) => {
      readMembers(mail, ["to", "replyTo", "template", "input"])
      const { template, input, to, replyTo } = mail
      const content = await renderTemplate(emails, template, input)
      await handOver(connection, readMail({ ...content, to, replyTo, text: undefined }, from))
    },
  })
  return { on, drain: () => background.drain() }
}

function isTransaction(connection: Connection): connection is Transaction {
  return "afterCommit" in connection
}

import type { Connection } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { MailArchive, MailSender, MailTransport, StoredMail } from "../../ports/mail-transport.ts"

interface PreviewMailDependencies {
  readonly connection: Connection
  readonly logger: Logger
  now(): Date
}

const KEPT_MS = 7 * 24 * 60 * 60 * 1000
const KEPT_MAILS = 500
const LISTED_MAILS = 100

const INSERT = `insert into "_kit_mail" ("from", "to", reply_to, subject, html, text, created_at)
  values ($1, $2, $3, $4, $5, $6, $7)`

const FORGET = `delete from "_kit_mail"
  where id <= (select max(id) from "_kit_mail") - ${KEPT_MAILS} or created_at < $1`

const LIST = `select id, "to", subject, created_at from "_kit_mail" order by id desc limit ${LISTED_MAILS}`

const FIND = `select id, "from", "to", reply_to, subject, html, text, created_at from "_kit_mail" where id = $1`

/** Delivers no mail. Keeps the newest mails in the database for a week, for preview. Links in mails are not logged. */
export function previewMail({ connection, logger, now }: PreviewMailDependencies): MailTransport & MailArchive {
  const query = async (text: string, ...values: unknown[]) => (await connection.query({ text, values })).rows
  return {
    send: async ({ from, to, replyTo = null, subject, html, text }) => {
      const createdAt = now()
      await query(INSERT, writeSender(from), to, replyTo, subject, html, text, createdAt)
      await query(FORGET, new Date(createdAt.getTime() - KEPT_MS))
      logger.info(`mail to ${to.join(", ")}: ${subject}; kept for preview`)
    },
    // The casts are safe: the values are in the order of the selected columns `id`, `to` (text[]), `subject` and
    // `created_at` (timestamptz).
    list: async () =>
      (await query(LIST)).map(([id, to, subject, createdAt]) => ({
        id: String(id),
        to: to as string[],
        subject: String(subject),
        createdAt: createdAt as Date,
      })),
    find: async (id) => {
      const [row] = isId(id) ? await query(FIND, id) : []
      return row && toKeptMail(row)
    },
  }
}

function isId(text: string): boolean {
  return /^\d{1,18}$/.test(text)
}

function toKeptMail([id, from, to, replyTo, subject, html, text, createdAt]: readonly unknown[]): StoredMail {
  return {
    id: String(id),
    from: String(from),
    // The casts are safe: the columns `to` and `created_at` have the types text[] and timestamptz.
    to: to as string[],
    replyTo: replyTo === null ? undefined : String(replyTo),
    subject: String(subject),
    html: String(html),
    text: String(text),
    createdAt: createdAt as Date,
  }
}

function writeSender({ name, address }: MailSender): string {
  return name === undefined ? address : `${name} <${address}>`
}

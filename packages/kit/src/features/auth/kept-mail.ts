import { newId } from "../../engine/ids.ts"
import type { Connection } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { MailTransport } from "../../ports/mail-transport.ts"
import { KEPT_MAIL } from "./identity-tables.ts"
import { InternalStore } from "./internal-store.ts"

interface KeptMailParts {
  readonly connection: Connection
  readonly logger: Logger
  now(): Date
}

const KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** Delivers nothing: mail is kept in the database for a week, to be looked at. Its links stay out of the log. */
export function keptMail({ connection, logger, now }: KeptMailParts): MailTransport {
  const kept = new InternalStore(connection, KEPT_MAIL)
  return {
    send: async ({ to, subject, html, text }) => {
      const createdAt = now()
      await kept.create({ id: newId(createdAt), to, subject, html, text, createdAt })
      const oldest = new Date(createdAt.getTime() - KEPT_MS)
      await kept.delete([{ field: "createdAt", operator: "lt", value: oldest, connector: "AND" }])
      logger.info(`mail to ${to}: ${subject}; kept for preview`)
    },
  }
}

import type { KitConfig } from "../app/config/config.ts"
import type { Logger } from "../ports/logger.ts"
import type { MailTransport } from "../ports/mail-transport.ts"

interface Replaced {
  /** The settings of the app. */
  readonly own: KitConfig
  /** The settings of the test. */
  readonly given: KitConfig
  readonly mails: MailTransport
  readonly logger: Logger
  /** The folder for uploaded files. */
  readonly folder: string
}

const SECRET = "a secret that signs the sessions of tests"

/** Returns the app's settings, with mail, files, logs and kv kept inside the test unless the test sets them. */
export function testConfig({ own, given, mails, logger, folder }: Replaced): KitConfig {
  const { kv, email = {}, ...kept } = own
  return {
    secret: SECRET,
    ...kept,
    ...(kv?.driver && { kv: { driver: kv.driver } }),
    storage: { folder },
    ...given,
    db: { ...own.db, ...given.db },
    email: given.email ?? { ...(email.from !== undefined && { from: email.from }), transport: mails },
    logger: given.logger ?? logger,
  }
}

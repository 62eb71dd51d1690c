import type { KitConfig } from "../app/config/config.ts"
import type { Logger } from "../ports/logger.ts"
import type { MailTransport } from "../ports/mail-transport.ts"

interface Replaced {
  /** The app's own settings. */
  readonly own: KitConfig
  /** Those of the test. */
  readonly given: KitConfig
  readonly mails: MailTransport
  readonly logger: Logger
  /** Where files are kept. */
  readonly folder: string
}

const SECRET = "a secret that signs the sessions of tests"

/** The settings of the app, except that nothing leaves the test unless the test itself says so. */
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

import type { KitConfig } from "../app/config.ts"
import type { Logger } from "../ports/logger.ts"
import type { MailTransport } from "../ports/mail-transport.ts"

interface Replaced {
  /** The app's own settings. */
  readonly own: KitConfig
  /** Those of the test. */
  readonly given: KitConfig
  readonly mails: MailTransport
  readonly logger: Logger
}

const SECRET = "a secret that signs the sessions of tests"

/** The settings of the app, except that nothing leaves the test unless the test itself says so. */
export function testConfig({ own, given, mails, logger }: Replaced): KitConfig {
  const { kv, email = {}, ...kept } = own
  return {
    secret: SECRET,
    ...kept,
    ...(kv?.driver && { kv: { driver: kv.driver } }),
    ...given,
    db: { ...own.db, ...given.db },
    email: given.email ?? { ...(email.from !== undefined && { from: email.from }), transport: mails },
    logger: given.logger ?? logger,
  }
}

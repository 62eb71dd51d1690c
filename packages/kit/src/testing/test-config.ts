import type { KitConfig } from "../app/config/config.ts"
import type { Logger } from "../ports/logger.ts"
import type { MailTransport } from "../ports/mail-transport.ts"

interface TestConfigInput {
  /** The settings of the app. */
  readonly appSettings: KitConfig
  /** The settings of the test. */
  readonly testSettings: KitConfig
  readonly mails: MailTransport
  readonly logger: Logger
  /** The folder for uploaded files. */
  readonly folder: string
}

const SECRET = "a secret that signs the sessions of tests"

/** Returns the app's settings, with mail, files, logs and kv kept inside the test unless the test sets them. */
export function testConfig({ appSettings, testSettings, mails, logger, folder }: TestConfigInput): KitConfig {
  const { kv, email = {}, ...kept } = appSettings
  return {
    secret: SECRET,
    ...kept,
    ...(kv?.driver && { kv: { driver: kv.driver } }),
    storage: { folder },
    ...testSettings,
    db: { ...appSettings.db, ...testSettings.db },
    email: testSettings.email ?? { ...(email.from !== undefined && { from: email.from }), transport: mails },
    logger: testSettings.logger ?? logger,
  }
}

import type { KitConfig } from "../app/config/config.ts"
import type { Logger } from "../ports/logger.ts"
import type { MailTransport } from "../ports/mail-transport.ts"

interface TestConfigInput {
  /** The settings in the app's `kit.config.ts`. */
  readonly appSettings: KitConfig
  /** The settings that the test passes to `testApp`. */
  readonly testSettings: KitConfig
  readonly mails: MailTransport
  readonly logger: Logger
  /** The folder in which uploaded files are stored. */
  readonly folder: string
}

const SECRET = "a secret that signs the sessions of tests"

/** Returns the app's settings for a test: mail, files, logs and kv stay inside the test unless the test sets them. */
export function testConfig({ appSettings, testSettings, mails, logger, folder }: TestConfigInput): KitConfig {
  const { kv, email = {}, ...kept } = appSettings
  return {
    secret: SECRET,
    ...kept,
    ...(kv?.driver && { kv: { driver: kv.driver } }),
    storage: { folder },
    ...testSettings,
    // Without this, the lines of all requests would hide the lines that a test looks for.
    log: { ...appSettings.log, requests: false, ...testSettings.log },
    db: { ...appSettings.db, ...testSettings.db },
    email: testSettings.email ?? { ...(email.from !== undefined && { from: email.from }), transport: mails },
    logger: testSettings.logger ?? logger,
  }
}

import type { AppDefinition, EmailTemplate, KitConfig, Mail } from "kit"
import { testApp } from "kit/testing"
import { openTestDatabase } from "../test-database.ts"

interface MailAppOptions {
  readonly emails?: Readonly<Record<string, EmailTemplate>>
  readonly config?: KitConfig
  readonly mode?: NonNullable<AppDefinition["mode"]>
  readonly resources?: AppDefinition["resources"]
  now?(): Date
}

/** Starts an app that sends mail; by default the mail is collected in `sent`. */
export async function mailApp({ emails = {}, config, mode, resources = [], now }: MailAppOptions = {}) {
  const sent: Mail[] = []
  const logged: string[] = []
  const log = (message: string, fields: { error?: Error } = {}) =>
    void logged.push(fields.error ? `${message} ${fields.error.message}` : message)
  const transport = {
    send: (mail: Mail) => {
      sent.push(mail)
      return Promise.resolve()
    },
  }
  const running = await testApp({
    collections: resources,
    emails,
    config: {
      sessions: { read: () => null },
      logger: { info: log, warn: log, error: log },
      email: { from: "Newsroom <news@x.test>", transport },
      ...config,
    },
    ...(mode && { mode }),
    ...(now && { now }),
  })
  const { app, url } = running
  const database = openTestDatabase(running.databaseUrl)
  return {
    app,
    email: app.email,
    sent,
    logged,
    database,
    url,
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      await database.drop()
    },
  }
}

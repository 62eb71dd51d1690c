import { type AppDefinition, createApp, type EmailTemplate, type KitConfig, type Mail, startNodeServer } from "kit"
import { createTestDatabase } from "./test-database.ts"

interface MailAppOptions {
  readonly emails?: Readonly<Record<string, EmailTemplate>>
  readonly config?: KitConfig
  readonly mode?: NonNullable<AppDefinition["mode"]>
  readonly resources?: AppDefinition["resources"]
  now?(): Date
}

/** A running app that sends mail; without other settings the mail ends up in `sent`. */
export async function mailApp({ emails = {}, config, mode, resources = [], now }: MailAppOptions = {}) {
  const database = await createTestDatabase()
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
  const app = await createApp({
    resources,
    emails: Object.entries(emails).map(([key, { definition }]) => ({ file: `src/emails/${key}.ts`, key, definition })),
    config: {
      sessions: { read: () => null },
      logger: { info: log, warn: log, error: log },
      email: { from: "Newsroom <news@x.test>", transport },
      ...config,
      db: { url: database.url },
    },
    root: "/nowhere",
    ...(mode && { mode }),
    ...(now && { now }),
  })
  const server = await startNodeServer(app.handle, { port: 0, host: "127.0.0.1" })
  return {
    app,
    email: app.email,
    sent,
    logged,
    database,
    url: `http://127.0.0.1:${server.port}${app.basePath}`,
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await app.stop()
      await database.drop()
    },
  }
}

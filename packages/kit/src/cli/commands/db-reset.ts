import { hasDatabase } from "../../app/config/defaults.ts"
import type { DatabaseOptions } from "../../app/definition/app-definition.ts"
import { checkApp } from "../../app/definition/check-app.ts"
import { inTransaction, run } from "../../engine/copy-database/in-transaction.ts"
import { lockTarget } from "../../engine/copy-database/target-check.ts"
import {
  contentText,
  dropContent,
  isProduction,
  readContent,
  refuseOtherSessions,
  withAppDatabase,
} from "../database/app-database.ts"
import { seedApp } from "../database/seed-app.ts"
import { loadApp, loadConfig } from "../sources/load-app.ts"
import { type CommandArguments, CommandFailure } from "../terminal/arguments.ts"
import { showLine } from "../terminal/show.ts"
import { openApp } from "./start.ts"

const LOCK_TIMEOUT = "10s"

/** Deletes the data and files of the app, creates its tables again and runs its seeds, as a first start does. */
export async function reset({ values }: CommandArguments): Promise<void> {
  if (isProduction()) {
    throw new CommandFailure(
      "kit db reset deletes all data, and NODE_ENV is production. To replace the data by a backup, use kit db restore --replace.",
    )
  }
  const root = process.cwd()
  const settings = await loadConfig(root)
  // Checks the whole app first, because an app with mistakes could not create its tables again.
  await checkApp(await loadApp(root, settings))
  const place = { config: settings.config, root, onProgress: showLine }
  if (hasDatabase(place)) await emptyDatabase(place, values["yes"] === true)
  await startOnce(root)
}

async function emptyDatabase(place: DatabaseOptions, isConfirmed: boolean): Promise<void> {
  await withAppDatabase(place, "kit db reset", async (database) => {
    await run(database.session, `set lock_timeout = '${LOCK_TIMEOUT}'`)
    // An app that is started now waits until the tables are dropped.
    await lockTarget(database.session)
    await refuseOtherSessions(database)
    const content = await readContent(database)
    const deletion = `${contentText(content)} in ${database.databaseNote}`
    if (database.isRemote && !isConfirmed) {
      throw new CommandFailure(
        `This would delete ${deletion}, which is on another machine. Run it again with --yes to do so. Nothing was deleted.`,
      )
    }
    showLine(`deleting ${deletion}`)
    await inTransaction(database.session, () => dropContent(database, content))
    for (const { key } of await database.files.list()) await database.files.remove(key)
  })
}

async function startOnce(root: string): Promise<void> {
  const { loaded, app } = await openApp(root)
  try {
    await seedApp(app, loaded)
    showLine(`the tables are new    ${app.databaseNote}`)
  } finally {
    await app.stop()
  }
}

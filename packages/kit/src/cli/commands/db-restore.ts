import type { ArchiveHead } from "../../engine/archive/archive-format.ts"
import { restoreArchive } from "../../engine/archive/restore-archive.ts"
import {
  type AppDatabase,
  contentText,
  dropContent,
  isProduction,
  readContent,
  refuseOtherSessions,
  withAppDatabase,
} from "../database/app-database.ts"
import { openArchiveFile } from "../database/archive-file.ts"
import { ArchiveProgress } from "../database/archive-progress.ts"
import { findOrCreateDatabase } from "../database/find-database.ts"
import { type CommandArguments, CommandFailure, readArchivePath } from "../terminal/arguments.ts"
import { printable } from "../terminal/printable.ts"
import { showLine } from "../terminal/show.ts"
import { printJson } from "../terminal/standard-output.ts"
import { contentOf } from "./db-dump.ts"

/** Restores an archive of `kit db dump` into the app's database, all of it or nothing. */
export async function restore({ positionals, values }: CommandArguments): Promise<void> {
  const path = readArchivePath(positionals, "kit db restore backup.kit")
  const place = await findOrCreateDatabase()
  const archive = await openArchiveFile(path)
  const progress = new ArchiveProgress(process.stdout)
  const report = await withAppDatabase(place, "kit db restore", async (database) => {
    const empty = values["replace"] === true ? await prepareReplacement(database, values["yes"] === true) : undefined
    return restoreArchive({
      target: database.session,
      files: database.files,
      archive,
      ...(empty && { empty }),
      onHead: showOrigin,
      onEvent: (event) => progress.show(event),
    }).finally(() => progress.end())
  })
  if (values["json"]) printJson({ file: path, ...report })
  else for (const line of [...report.warnings, `restored ${contentOf(report)} from ${path}`]) showLine(line)
}

// Returns the function that deletes the present content. In production, and on another machine, the user has to confirm
// the deletion with --yes.
async function prepareReplacement(database: AppDatabase, isConfirmed: boolean): Promise<() => Promise<void>> {
  await refuseOtherSessions(database)
  const content = await readContent(database)
  const deletion = `${contentText(content)} in ${database.databaseNote}`
  if ((isProduction() || database.isRemote) && !isConfirmed) {
    throw new CommandFailure(`--replace deletes ${deletion}. Run it again with --yes to do so. Nothing was deleted.`)
  }
  showLine(`replacing ${deletion}`)
  return () => dropContent(database, content)
}

function showOrigin({ app, createdAt, server }: ArchiveHead): void {
  showLine(printable(`the archive of ${app}, made at ${createdAt} from PostgreSQL ${server}`))
}

import { type ArchiveReport, dumpDatabase } from "../../engine/archive/dump-database.ts"
import { withAppDatabase } from "../database/app-database.ts"
import { writeArchiveFile } from "../database/archive-file.ts"
import { ArchiveProgress } from "../database/archive-progress.ts"
import { findDatabase } from "../database/find-database.ts"
import { type CommandArguments, readArchivePath, readSchemaNames } from "../terminal/arguments.ts"
import { count } from "../terminal/count.ts"
import { showLine } from "../terminal/show.ts"
import { printJson } from "../terminal/standard-output.ts"

/** Writes the app's database and uploaded files into one file. */
export async function dump({ positionals, values }: CommandArguments): Promise<void> {
  const path = readArchivePath(positionals, "kit db dump backup.kit")
  const place = await findDatabase()
  const origin = { app: place.config.app?.name ?? "kit", createdAt: new Date().toISOString() }
  const progress = new ArchiveProgress(process.stdout)
  const report = await withAppDatabase(place, "kit db dump", ({ session, files }) =>
    writeArchiveFile(path, (write) =>
      dumpDatabase({
        source: session,
        schemas: readSchemaNames(values["schema"]),
        files,
        origin,
        write,
        onEvent: (event) => progress.show(event),
      }),
    ).finally(() => progress.end()),
  )
  if (values["json"]) printJson({ file: path, ...report })
  else for (const line of [...report.warnings, `dumped ${contentOf(report)} into ${path}`]) showLine(line)
}

/** Returns the number of tables, rows and files in an archive, for people. */
export function contentOf({ tables, files }: ArchiveReport): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${count(tables.length, "table")} with ${count(rows, "row")} and ${count(files, "file")}`
}

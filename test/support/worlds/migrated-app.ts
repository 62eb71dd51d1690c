import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { runKit } from "../processes/kit-command.ts"
import { type AppFolder, appFolder, KitProcess } from "../processes/kit-process.ts"
import { createTestDatabase, type TestDatabase } from "../test-database.ts"

/** Creates the folder of an app with the collection "posts", and an empty database for it. */
export async function newApp(fields: string, more = "") {
  const database = await createTestDatabase()
  const folder = await appFolder({})
  onTestFinished(async () => {
    await folder[Symbol.asyncDispose]()
    await database.drop()
  })
  await declare(folder, fields, more)
  const kit = (...args: string[]) => runKit(args, { cwd: folder.path, env: { DATABASE_URL: database.url } })
  return { database, folder, kit }
}

/** Writes the file of the collection "posts". */
export function declare(folder: AppFolder, fields: string, more = ""): Promise<void> {
  return folder.write(
    "src/collections/posts.ts",
    `import { collection } from "kit"
     export default collection("posts").fields(({ f }) => ({ ${fields} })).access({ read: true })${more}`,
  )
}

export async function files(folder: AppFolder): Promise<string[]> {
  return (await readdir(join(folder.path, "src/migrations"))).sort()
}

export async function insertPosts(database: TestDatabase, values: readonly string[]): Promise<void> {
  for (const value of values) {
    await database.query(
      `insert into posts (id, "createdAt", "updatedAt", title, note) values (gen_random_uuid(), now(), now(), ${value})`,
    )
  }
}

export async function columnsOf(database: TestDatabase): Promise<unknown[]> {
  const rows = await database.query("select column_name from information_schema.columns where table_name = 'posts'")
  return rows.map((row) => row["column_name"])
}

export async function tablesOf(database: TestDatabase): Promise<unknown[]> {
  const rows = await database.query("select tablename::text from pg_tables where schemaname = 'public' order by 1")
  return rows.map((row) => row["tablename"])
}

/** Syncs the app's database to its schema, by starting the app once. Returns the output of the start. */
export async function syncOnce(folder: AppFolder, database: TestDatabase): Promise<string> {
  const env = { DATABASE_URL: database.url }
  const started = new KitProcess(["start", "--port", "0", "--sync"], { cwd: folder.path, env })
  await started.printed(/ready in/)
  await started.stop()
  return started.output
}

/** Changes the SQL file of the app's newest migration. Returns the file's name. */
export async function editNewest(folder: AppFolder, edit: (sql: string) => string): Promise<string> {
  const file = (await files(folder)).findLast((name) => name.endsWith(".sql")) ?? ""
  const path = join(folder.path, "src/migrations", file)
  await writeFile(path, edit(await readFile(path, "utf8")))
  return file
}

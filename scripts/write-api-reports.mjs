// Writes the public surface of each entry of the package, taken from the emitted declarations: npm run api
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { apiReports } from "./checks/api/reports.mjs"

const root = process.cwd()
for (const [path, text] of await apiReports(root)) {
  await mkdir(join(root, dirname(path)), { recursive: true })
  await writeFile(join(root, path), text)
  console.log(`wrote ${path}`)
}

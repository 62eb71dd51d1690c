// Writes the tables of docs/settings.md again, from the tables that the code reads: npm run settings
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { renderSettingsPage, SETTINGS_PAGE } from "./checks/docs/settings-page.mjs"

const root = process.cwd()
await writeFile(join(root, SETTINGS_PAGE), await renderSettingsPage(root))
console.log(`wrote ${SETTINGS_PAGE}`)

import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { tsImport } from "tsx/esm/api"

/**
 * @typedef {{ default: string, purpose: string, readBy: string }} Variable
 * @typedef {{ type: string, default: string, purpose: string, members?: Group, check: (value: unknown) => string | undefined }} Setting
 * @typedef {{ [name: string]: Setting | Group }} Group
 */

export const SETTINGS_PAGE = "docs/settings.md"
const CONFIG = "packages/kit/src/app/config"

/**
 * The tables of the page must be those that the code reads.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function settingsPageProblems(root) {
  if (!existsSync(join(root, SETTINGS_PAGE))) return []
  const page = await readFile(join(root, SETTINGS_PAGE), "utf8")
  if ((await renderSettingsPage(root)) === page) return []
  return [`${SETTINGS_PAGE} differs from the tables in ${CONFIG}: run npm run settings`]
}

/**
 * Returns the page with its tables made again; the text around them is written by hand.
 *
 * @param {string} root
 * @returns {Promise<string>}
 */
export async function renderSettingsPage(root) {
  const page = await readFile(join(root, SETTINGS_PAGE), "utf8")
  const { ENVIRONMENT } = await load(root, "environment.ts")
  const { SETTINGS } = await load(root, "settings/settings.ts")
  return replaceTable(
    replaceTable(page, "environment", environmentTable(ENVIRONMENT)),
    "settings",
    settingsTable(SETTINGS),
  )
}

/** @param {string} root @param {string} file */
function load(root, file) {
  return tsImport(pathToFileURL(join(root, CONFIG, file)).href, import.meta.url)
}

/** @param {string} page @param {string} name @param {string} table */
function replaceTable(page, name, table) {
  const [start, end] = [`<!-- table: ${name} -->`, `<!-- end of table: ${name} -->`]
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${SETTINGS_PAGE} has no place for a table: write ${start} and ${end}.`)
  return `${page.slice(0, from + start.length)}\n\n${table}\n\n${page.slice(to)}`
}

/** @param {Record<string, Variable>} variables */
function environmentTable(variables) {
  const rows = Object.entries(variables).map(([name, variable]) => [
    `\`${name}\``,
    variable.default,
    variable.purpose,
    variable.readBy,
  ])
  return markdownTable([["variable", "default", "purpose", "read by"], ...rows])
}

/** @param {Group} settings */
function settingsTable(settings) {
  const rows = flatten(settings, "").map(([name, setting]) => [
    `\`${name}\``,
    setting.type,
    setting.default,
    setting.purpose,
  ])
  return markdownTable([["setting", "type", "default", "purpose"], ...rows])
}

/** @param {Group} group @param {string} prefix @returns {[string, Setting][]} */
function flatten(group, prefix) {
  return Object.entries(group).flatMap(([name, entry]) => {
    const path = `${prefix}${name}`
    if (!isSetting(entry)) return flatten(entry, `${path}.`)
    return [[path, entry], ...flatten(entry.members ?? {}, `${path}.`)]
  })
}

/** @param {Setting | Group} entry @returns {entry is Setting} */
function isSetting(entry) {
  return typeof entry.check === "function"
}

/** @param {string[][]} rows the first one is the header */
function markdownTable(rows) {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")))
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const line = (/** @type {string[]} */ row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`
  const [header = [], ...body] = cells
  return [line(header), rule, ...body.map(line)].join("\n")
}

import { readFile, writeFile } from "node:fs/promises"

const README = new URL("../../README.md", import.meta.url)

/**
 * Writes the figures of a complete run into the table of the README.
 *
 * @param {readonly import("./measure-row.mjs").RowResult[]} rows rounded as in the results
 */
export async function updateReadme(rows) {
  await writeFile(README, withFigures(await readFile(README, "utf8"), rows))
}

/**
 * Returns the text with the figures of each row that one of its tables shows: the name in the second column, then kit,
 * raw, and the ratio with its interval. The widths of the columns stay.
 *
 * @param {string} text
 * @param {readonly import("./measure-row.mjs").RowResult[]} rows
 */
export function withFigures(text, rows) {
  return rows.reduce((changed, row) => {
    const line = new RegExp(`^(\\|[^|]+\\| ${row.name} *\\|)([^|]+)\\|([^|]+)\\|([^|]+)\\|$`, "m")
    return changed.replace(line, (_line, start, ...cells) => {
      const figures = figuresOf(row).map((figure, index) => ` ${figure.padEnd(cells[index].length - 1)}|`)
      return `${start}${figures.join("")}`
    })
  }, text)
}

/** @param {import("./measure-row.mjs").RowResult} row */
function figuresOf({ kit, raw, ratio, low, high }) {
  const [exact, least, most] = [ratio, low, high].map((part) => part.toFixed(2))
  return [...[kit, raw].map((count) => Math.round(count).toLocaleString("en")), `${exact} (${least}–${most})`]
}

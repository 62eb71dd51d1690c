import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { COMMANDS, GROUPS } from "../../src/cli/command-table.ts"

const page = await readFile("docs/command-line.md", "utf8")

/** Returns the section of the page about a command, or about the command that it belongs to. */
function sectionOf(name: string): string {
  const [first = ""] = name.split(" ")
  const [, section = ""] = page.split(`### kit ${first}\n`)
  return section.split(/\n##+ /)[0] ?? ""
}

test.each(Object.entries(COMMANDS))("docs/command-line.md describes kit %s with its options", (name, command) => {
  const section = sectionOf(name)

  expect(section).not.toBe("")
  for (const option of Object.keys(command.options ?? {})) expect(section).toContain(`--${option}`)
})

test("docs/command-line.md has a heading for each command and no other", () => {
  const headings = [...page.matchAll(/^### kit (.+)$/gm)].map(([, name]) => name)

  const names = new Set(Object.keys(COMMANDS).map((name) => name.split(" ")[0]))
  expect(headings.sort()).toEqual([...names].sort())
})

test.each(Object.keys(GROUPS))("docs/command-line.md names each task of kit %s", (group) => {
  const tasks = Object.keys(COMMANDS).filter((name) => name.startsWith(`${group} `))

  expect(tasks).not.toEqual([])
  for (const task of tasks) expect(sectionOf(group)).toContain(`kit ${task}`)
})

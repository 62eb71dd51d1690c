import type { Command, Options } from "../command.ts"
import { COMMANDS, GROUPS } from "../command-table.ts"

/** Returns the help for a command or a group of subcommands; undefined if no command or group has this name. */
export function helpFor(name: string): readonly string[] | undefined {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command !== undefined) return commandHelp(name, command)
  return Object.hasOwn(GROUPS, name) ? groupHelp(name) : undefined
}

/** Returns the list of all commands, one per line. */
export function overview(): readonly string[] {
  const rows = commandNames().map(
    (name): Row => [`kit ${name}${parametersOf(name)}`, GROUPS[name] ?? COMMANDS[name]?.purpose ?? ""],
  )
  return [
    "kit <command> [options]",
    "",
    ...tableLines([
      ...rows,
      ["kit help <command>", "show the help of a command"],
      ["kit --version", "print the version of kit"],
    ]),
    "",
    "Exit codes: 0 for success, 1 for failure, 2 for wrong usage.",
  ]
}

/** Returns the usage of a command, on one line. */
export function usageOf(name: string): string {
  const command = COMMANDS[name]
  if (command === undefined) return `Usage: kit ${name} ${subcommandsOf(name).join("|")}`
  const options = Object.entries(command.options ?? {}).map(([option, { value, isRequired }]) =>
    isRequired ? flag(option, value) : `[${flag(option, value)}]`,
  )
  return ["Usage:", `kit ${name}${parametersOf(name)}`, ...options].join(" ")
}

/** Returns the first word of every command, without duplicates. */
export function commandNames(): readonly string[] {
  return [...new Set(Object.keys(COMMANDS).map((name) => name.split(" ", 1)[0] ?? name))]
}

/** Returns the names of a command's subcommands. */
export function subcommandsOf(group: string): readonly string[] {
  const start = `${group} `
  return Object.keys(COMMANDS).flatMap((name) => (name.startsWith(start) ? [name.slice(start.length)] : []))
}

function commandHelp(name: string, { purpose, options = {}, examples }: Command): readonly string[] {
  const details = optionLines(options)
  return [
    `kit ${name}${parametersOf(name)}${details.length > 0 ? " [options]" : ""}`,
    `  ${purpose}`,
    ...(details.length > 0 ? ["", ...details] : []),
    "",
    "Examples:",
    ...examples.map((example) => `  ${example}`),
  ]
}

function groupHelp(group: string): readonly string[] {
  const rows = subcommandsOf(group).map((task): Row => {
    const name = `${group} ${task}`
    return [`kit ${name}${parametersOf(name)}`, COMMANDS[name]?.purpose ?? ""]
  })
  return [`kit ${group} ${subcommandsOf(group).join("|")}`, `  ${GROUPS[group]}`, "", ...tableLines(rows)]
}

function optionLines(options: Options): readonly string[] {
  return tableLines(Object.entries(options).map(([name, { value, purpose }]): Row => [flag(name, value), purpose]))
}

function flag(name: string, value: string | undefined): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}

function parametersOf(name: string): string {
  const takes = COMMANDS[name]?.parameters
  return takes === undefined ? "" : ` ${takes}`
}

type Row = readonly [name: string, purpose: string]

function tableLines(rows: readonly Row[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, purpose]) => `  ${name.padEnd(width)}  ${purpose}`)
}

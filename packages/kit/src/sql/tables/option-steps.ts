import { refuseIfAny } from "./ddl.ts"
import { describeOtherValues, hasOtherValue, type ReplacedOptions, replaceOptions } from "./options-sql.ts"
import { type KeptColumn, type Step, step, type TableNames } from "./step.ts"

/** Returns the step for a select field that has other options than before; undefined if it has the same ones. */
export function changedOptions(
  names: TableNames,
  column: KeptColumn,
  replaced: ReplacedOptions = {},
): Step | undefined {
  const { name, options } = column.after
  const { options: before } = column.before
  const [table, place] = [names.to, `column "${names.to}.${name}"`]
  if (options === undefined) {
    return before && step("change options", { table, name, title: `allow any text in ${place}`, sql: [] })
  }
  if (before === undefined || before.some((option) => !options.includes(option))) {
    return limitedOptions(names, column, replaced)
  }
  const added = options.filter((option) => !before.includes(option))
  if (added.length === 0) return undefined
  return step("change options", { table, name, title: `allow ${listText(added)} in ${place}`, sql: [] })
}

// Returns the step that replaces values in existing rows and then fails if a row holds a value that is not an option.
function limitedOptions(
  { from, to: table }: TableNames,
  { before, after }: KeptColumn,
  replaced: ReplacedOptions,
): Step {
  const { name, options = [] } = after
  const olds = Object.keys(replaced)
  const message = `"${name}" of "${table}" holds values that are not among its options`
  const refusal = refuseIfAny(table, hasOtherValue(after, options), { code: "23514", message })
  const sql = olds.length > 0 ? [replaceOptions(table, after, replaced), refusal] : [refusal]
  const title = `limit column "${table}.${name}" to ${listText(options)}${replacedText(replaced)}`
  return {
    ...step(olds.length > 0 ? "replace options" : "change options", { table, name, title, sql }),
    precondition: {
      problem: `Records of "${table}" have values in "${name}" that are not among its options.`,
      remedy: 'Keep the options, or replace them: .replacedOptions({ old: "new" }), where null empties the field.',
      violations: describeOtherValues(from, before, [...options, ...olds]),
    },
  }
}

function replacedText(replaced: ReplacedOptions): string {
  const pairs = Object.entries(replaced).map(([old, option]) =>
    option === null ? `, and remove "${old}"` : `, and replace "${old}" by "${option}"`,
  )
  return pairs.join("")
}

function listText(options: readonly string[]): string {
  return options.map((option) => `"${option}"`).join(", ")
}

import { parseArgs } from "node:util"
import { ROWS } from "./rows.mjs"

/**
 * @typedef {{ rows: readonly import("./rows.mjs").Row[], rounds: number, hasStartup: boolean, isProfiled: boolean,
 *   isComplete: boolean, against: string | undefined }} Plan
 *   `against` is the git ref that this tree is compared with, instead of with raw.
 */

export const USAGE = `npm run bench -- [flags]
  --quick            3 rounds instead of 9
  --only get,list    these rows only: ${ROWS.map(({ name }) => flagOf(name)).join(", ")}
  --startup          start-up times only
  --against main     compare with this commit, branch or tag instead of with raw; goes with --quick and --only
  --profile          also list where the kit server spends its time; best with --only`

const OPTIONS = /** @type {const} */ ({
  quick: { type: "boolean" },
  only: { type: "string" },
  startup: { type: "boolean" },
  profile: { type: "boolean" },
  against: { type: "string" },
})
const ROUNDS = 9
const QUICK_ROUNDS = 3

/** A mistake in the flags: shown without a stack. */
export class UsageError extends Error {}

/** @param {string[]} args @returns {Plan} */
export function readFlags(args) {
  const { quick, only, startup, profile, against } = parse(args)
  if (startup && (quick || only !== undefined || profile)) throw new UsageError("--startup goes with no other flag.")
  if (against !== undefined && (startup || profile))
    throw new UsageError("--against goes with --quick and --only alone.")
  if (against === "") throw new UsageError("--against: name a commit, branch or tag.")
  return {
    rows: startup ? [] : chosenRows(only),
    rounds: quick ? QUICK_ROUNDS : ROUNDS,
    hasStartup: startup === true || (only === undefined && !profile && against === undefined),
    isProfiled: profile === true,
    isComplete: !quick && only === undefined && !startup && !profile && against === undefined,
    against,
  }
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({ args, options: OPTIONS }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** @param {string | undefined} only */
function chosenRows(only) {
  if (only === undefined) return ROWS
  const names = only.split(",").map((name) => name.trim())
  const unknown = names.filter((name) => !ROWS.some((row) => flagOf(row.name) === name))
  if (unknown.length > 0) throw new UsageError(`--only: there is no row "${unknown.join('", "')}".`)
  return ROWS.filter((row) => names.includes(flagOf(row.name)))
}

/** A row's name as it is written on the command line. @param {string} name */
function flagOf(name) {
  return name.replaceAll(",", "").replaceAll(" ", "-")
}

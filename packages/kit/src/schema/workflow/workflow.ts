import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { FieldType } from "../compile/field-type.ts"
import { databaseName, findNameProblem } from "../compile/names.ts"
import type { ResourceField, ResourceWorkflow, Stage } from "../compile/resource.ts"
import { fieldSet } from "../fields/field-set.ts"

/** What an author says of a stage. */
export interface StageOptions {
  /** The stages that a record may move to from here, itself included if it may be moved there again; any unless given. */
  readonly to?: readonly string[]
  /** The stages that a record leaves when it moves here; of the initial stage all others, of any other one none, unless given. */
  readonly withdraws?: readonly string[]
}

/** The way of a record from a draft to what everybody sees. */
export interface WorkflowOptions {
  readonly stages: Readonly<Record<string, StageOptions>>
  /** Where new records are; the first stage unless given. */
  readonly initial?: string
  /** What is read by those who may not see drafts; `published` unless given. */
  readonly public?: string
}

const DEFAULT_WORKFLOW: WorkflowOptions = Object.freeze({ stages: { draft: {}, published: {} } })
const DEFAULT_PUBLIC = "published"

/** What is wrong with the option, in words for the author. */
export function checkWorkflowOption(value: unknown): string[] {
  if (value === undefined || typeof value === "boolean") return []
  if (!isObject(value) || !isObject(value["stages"]))
    return ['the option "workflow" must be true, or an object such as { stages: { draft: {}, published: {} } }.']
  // Checked as far as the names of the stages need it; the rest follows.
  const workflow = value as unknown as WorkflowOptions
  return [...checkMembers(value), ...checkStages(workflow), ...checkChoices(workflow)]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function checkMembers(value: Record<string, unknown>): string[] {
  const known = ["stages", "initial", "public"]
  const unknown = Object.keys(value).filter((name) => !known.includes(name))
  return unknown.map((name) => `the option "workflow" has no "${name}".${didYouMean(name, known)}`)
}

function checkStages({ stages }: WorkflowOptions): string[] {
  const names = Object.keys(stages)
  const tooFew = names.length < 2 ? ['the option "workflow" needs at least two stages.'] : []
  const problems = names.flatMap((name) => {
    const problem = findNameProblem(name)
    return problem === undefined ? [] : [`a stage of the option "workflow": ${problem}`]
  })
  return [...tooFew, ...problems, ...names.flatMap((name) => checkStage(stages[name], name, names))]
}

function checkStage(stage: unknown, name: string, names: readonly string[]): string[] {
  const place = `the stage "${name}" of the option "workflow"`
  if (!isObject(stage)) return [`${place} must be an object such as { to: ["${names[0]}"] }.`]
  return Object.entries(stage).flatMap(([member, list]) => {
    if (member !== "to" && member !== "withdraws")
      return [`${place} has no "${member}".${didYouMean(member, ["to", "withdraws"])}`]
    if (list === undefined) return []
    if (!Array.isArray(list)) return [`${place} has a "${member}" that is no list of stages.`]
    const unknown = list.filter((each) => !names.includes(each))
    return unknown.map(
      (each) => `${place} names the stage "${each}", which does not exist.${didYouMean(String(each), names)}`,
    )
  })
}

function checkChoices({ stages, initial, public: shown = DEFAULT_PUBLIC }: WorkflowOptions): string[] {
  const names = Object.keys(stages)
  const first = initial ?? names[0]
  const missing = [first, shown].filter((name) => name !== undefined && !names.includes(name))
  if (missing.length > 0)
    return missing.map(
      (name) =>
        `the option "workflow" names the stage "${name}", which does not exist. Say which with "initial" and "public".`,
    )
  return first === shown ? ['the option "workflow" makes the initial stage public, so nothing would be a draft.'] : []
}

type MakeField = (name: string, type: FieldType, value?: unknown) => ResourceField

/** What the option means; nothing where it is off, or wrong, which the check reports. */
export function compileWorkflow(
  option: boolean | WorkflowOptions | undefined,
  make: MakeField,
): ResourceWorkflow | undefined {
  if (!option || checkWorkflowOption(option).length > 0) return undefined
  const { stages, initial, public: shown = DEFAULT_PUBLIC } = option === true ? DEFAULT_WORKFLOW : option
  const names = Object.keys(stages)
  const first = initial ?? names[0] ?? ""
  const type = Object.freeze(fieldSet.select(names).compile())
  return Object.freeze({
    initial: first,
    public: shown,
    stages: new Map(names.map((name) => [name, compileStage(name, stages, first)])),
    // Records from before are where new ones are.
    stage: make("stage", type, first),
  })
}

function compileStage(name: string, stages: WorkflowOptions["stages"], initial: string): Stage {
  const { to, withdraws } = stages[name] ?? {}
  const names = Object.keys(stages)
  const others = names.filter((other) => other !== name)
  return Object.freeze({
    name,
    // To itself as well: what was changed meanwhile is shown by moving there again.
    to: new Set(to ?? names),
    withdraws: (withdraws ?? (name === initial ? others : [])).filter((other) => other !== name),
  })
}

/** The table in which the copies of a stage are. */
export function stageTable(table: string, stage: string): string {
  return databaseName([table, "stage", stage])
}

/** The links of the copies of a stage. */
export function stageLinks(table: string, owner: readonly string[], stage: string): string {
  return databaseName([table, ...owner, "stage", stage])
}

import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { FieldType } from "../compile/field-type.ts"
import { databaseName, findNameProblem } from "../compile/names.ts"
import type { ResourceField, ResourceWorkflow, Stage } from "../compile/resource.ts"
import { fieldSet } from "../fields/field-set.ts"
import { Unreadable } from "../presentation/inert-copy.ts"
import type { AuthorText, ChoicePresentation, Color } from "../presentation/presentation.ts"
import { compileChangedSincePublished } from "./changed-since-published.ts"

/** The options of one stage. */
interface StageOptions {
  /**
   * The stages to which a record in this stage may transition; all stages unless set. The list may contain this stage
   * itself.
   */
  readonly to?: readonly string[]
  /**
   * The stages from which a transition to this stage removes the record. Unless set, none or, for the initial stage,
   * all others.
   */
  readonly withdraws?: readonly string[]
  /** The name of the stage for people. Without it, they see the stage's name in words. */
  readonly label?: AuthorText
  readonly description?: AuthorText
  readonly color?: Color
}

/** The option `workflow`: the stages that a record can have, from draft to public. */
export interface WorkflowOptions {
  readonly stages: Readonly<Record<string, StageOptions>>
  /** The stage of new records; the first in `stages` unless set. */
  readonly initial?: string
  /** The stage that is shown to callers who may not read drafts; `published` unless set. */
  readonly public?: string
}

const DEFAULT_WORKFLOW: WorkflowOptions = Object.freeze({ stages: { draft: {}, published: {} } })
const DEFAULT_PUBLIC = "published"

/** Returns the mistakes in the option `workflow`, as sentences for the author. */
export function checkWorkflowOption(value: unknown): string[] {
  if (value === undefined || typeof value === "boolean") return []
  if (value instanceof Unreadable) return [`the option "workflow" cannot be read: ${value.reason}.`]
  if (!isObject(value) || !isObject(value["stages"]))
    return ['the option "workflow" must be true, or an object such as { stages: { draft: {}, published: {} } }.']
  // The cast is safe: `stages` is an object, and the functions called below check everything else that they read.
  const workflow = value as unknown as WorkflowOptions
  return [...checkOptionNames(value), ...checkStages(workflow), ...checkInitialAndPublic(workflow)]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function checkOptionNames(value: Record<string, unknown>): string[] {
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

const STAGE_TEXTS: readonly string[] = ["label", "description", "color"]

function checkStage(stage: unknown, name: string, names: readonly string[]): string[] {
  const place = `the stage "${name}" of the option "workflow"`
  if (!isObject(stage)) return [`${place} must be an object such as { to: ["${names[0]}"] }.`]
  return Object.entries(stage).flatMap(([member, list]) => {
    // The check of the presentation reads these.
    if (STAGE_TEXTS.includes(member)) return []
    if (member !== "to" && member !== "withdraws")
      return [`${place} has no "${member}".${didYouMean(member, ["to", "withdraws", ...STAGE_TEXTS])}`]
    if (list === undefined) return []
    if (!Array.isArray(list)) return [`${place} has a "${member}" that is not a list of stages.`]
    const unknown = list.filter((each) => !names.includes(each))
    return unknown.map(
      (each) => `${place} names the stage "${each}", which does not exist.${didYouMean(String(each), names)}`,
    )
  })
}

function checkInitialAndPublic({ stages, initial, public: shown = DEFAULT_PUBLIC }: WorkflowOptions): string[] {
  const names = Object.keys(stages)
  const first = initial ?? names[0]
  const missing = [first, shown].filter((name) => name !== undefined && !names.includes(name))
  if (missing.length > 0)
    return missing.map(
      (name) =>
        `the option "workflow" names the stage "${name}", which does not exist. Name existing stages in "initial" and "public".`,
    )
  return first === shown ? ['the option "workflow" makes the initial stage public, so nothing would be a draft.'] : []
}

type MakeField = (name: string, type: FieldType, value?: unknown) => ResourceField

/** Compiles the option `workflow`. Returns undefined if it is off, or invalid, which `checkWorkflowOption` reports. */
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
    // A migration that adds this field sets it to the initial stage in existing records.
    stage: make("stage", type, first),
    changedSincePublished: compileChangedSincePublished(make),
  })
}

/**
 * Returns the fields that a workflow adds to the records of a resource. Only a working copy can have changed since it was
 * published. `stage` is the stage whose copies the resource reads, or undefined for the working copies.
 */
export function workflowFields(
  workflow: ResourceWorkflow | undefined,
  stage: string | undefined,
): readonly ResourceField[] {
  if (workflow === undefined) return []
  return stage === undefined ? [workflow.stage, workflow.changedSincePublished] : [workflow.stage]
}

function compileStage(name: string, stages: WorkflowOptions["stages"], initial: string): Stage {
  const { to, withdraws, label, description, color } = stages[name] ?? {}
  const presentation: ChoicePresentation = Object.freeze({ label, description, color })
  const names = Object.keys(stages)
  const others = names.filter((other) => other !== name)
  return Object.freeze({
    name,
    // By default, a record may transition to any stage, including its current one: repeating a transition publishes the
    // changes made in the meantime.
    to: new Set(to ?? names),
    presentation,
    withdraws: (withdraws ?? (name === initial ? others : [])).filter((other) => other !== name),
  })
}

/** Returns the name of the table that holds the copies of records in a stage. */
export function stageTable(table: string, stage: string): string {
  return databaseName([table, "stage", stage])
}

/** Returns the name of the link table for the copies of records in a stage. */
export function stageLinkTable(table: string, owner: readonly string[], stage: string): string {
  return databaseName([table, ...owner, "stage", stage])
}

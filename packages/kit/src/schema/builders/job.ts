import { assertKnownKeys } from "../compile/assert-known-keys.ts"
import {
  type AnySchema,
  isSchema,
  type SchemaInput,
  type SchemaOutput,
  type StandardSchema,
} from "../compile/validation.ts"
import type { SystemContext } from "../context/handler-context.ts"
import { type CronPattern, parseCron } from "./cron-pattern.ts"

/**
 * The argument of a job's handler. A handler is system code: no rule is evaluated, and the session is null. Writes in
 * `transaction` take effect exactly once, because they commit together with the job's end. A handler can call
 * `transaction` only once.
 */
export interface JobContext<Payload = unknown> extends SystemContext {
  /** The job's payload, as the job's schema returns it. */
  readonly payload: Payload
  readonly jobId: string
  /** The number of this attempt to run the job, from 1. */
  readonly attempt: number
  /** The id of the user who published the job. Null if system code published it. */
  readonly publishedBy: string | null
  /** Aborts when this attempt no longer counts: it timed out, the worker stops, or another worker has taken the job. */
  readonly signal: AbortSignal
}

export interface JobOptions {
  /** The number of times that a failed job is retried; 3 unless set. */
  readonly retryLimit?: number
  /** The seconds before the first retry; 5 unless set. The delay doubles with each further retry, up to an hour. */
  readonly retryDelay?: number
  /** The number of seconds that one attempt to run the job may take; 300 unless set. */
  readonly timeout?: number
  /** How many jobs of this kind one worker runs concurrently. Unless set, only the worker's own limit applies. */
  readonly concurrency?: number
  /** The job's priority; 0 unless set. Jobs with a higher priority run first. */
  readonly priority?: number
  /** The cron pattern by which the job is published automatically, in UTC unless a time zone is set. */
  readonly cron?: string | CronOptions
}

interface CronOptions {
  readonly pattern: string
  readonly timeZone?: string
  /** The payload with which the job is published at each due time; an empty object unless set. */
  readonly payload?: unknown
}

/** A job's declaration, with every default filled in. */
export interface JobDefinition {
  readonly kind: "job"
  /** The job's name. It is stored with each published job, so stored jobs stay valid when the job's file is renamed. */
  readonly name: string
  readonly schema: StandardSchema
  readonly handler: (context: JobContext) => unknown
  readonly retryLimit: number
  readonly retryDelayMs: number
  readonly timeoutMs: number
  /**
   * The lease time in milliseconds. A worker that has not renewed its lease on a job for this time may lose the job to
   * another worker.
   */
  readonly leaseMs: number
  readonly concurrency: number
  readonly priority: number
  readonly cron: { readonly pattern: CronPattern; readonly payload: unknown } | undefined
}

/** A job, as its file exports it. */
export class Job<out Given = unknown> {
  readonly definition: JobDefinition
  /** Exists only at compile time: the type of the payload as callers publish it, for the generated code. */
  declare readonly given: Given

  constructor(definition: JobDefinition) {
    this.definition = Object.freeze(definition)
    Object.freeze(this)
  }
}

/** The argument of a job's handler. Its payload has the output type of the job's schema. */
interface CheckedJobContext<Schema extends AnySchema> extends JobContext {
  readonly payload: SchemaOutput<Schema>
}

interface JobDeclaration<Schema extends AnySchema> {
  readonly name: string
  /** The schema that validates the payload on publish and before each attempt. Any Standard Schema library works. */
  readonly schema: Schema
  /** Runs the job. The return type is `void`, so that jobs that publish each other do not form a type cycle. */
  readonly handler: (context: CheckedJobContext<Schema>) => void
  readonly options?: JobOptions
}

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9._:-]{0,99}$/
const OPTIONS: readonly string[] = [
  "retryLimit",
  "retryDelay",
  "timeout",
  "concurrency",
  "priority",
  "cron",
] satisfies (keyof JobOptions)[]
const MAX_TIMEOUT_S = 7 * 86_400
/**
 * The default lease time. It is longer than a usual pause of the machine or the database, because taking over a job
 * late does less harm than running its handler twice.
 */
export const DEFAULT_LEASE_MS = 15_000
const MAX_PRIORITY = 1_000_000

/**
 * Declares a job. `queue` refers to it by the name of its file.
 *
 * export default job({ name: "send-digest", schema: z.object({ userId: z.string() }), handler: async ({ payload }) => {} })
 */
export function job<Schema extends AnySchema>(declaration: JobDeclaration<Schema>): Job<SchemaInput<Schema>> {
  const { name, schema, handler, options = {} } = declaration
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new TypeError(
      `"${name}" is not a valid job name. Use up to 100 letters, digits and . _ : - such as "send-digest".`,
    )
  }
  if (!isSchema(schema)) throw new TypeError(`Job "${name}" needs a Standard Schema, such as z.object({ … }) of zod.`)
  if (typeof handler !== "function") throw new TypeError(`Job "${name}" needs a handler: async ({ payload }) => { … }.`)
  checkDeclaration(declaration)
  const number = (option: NumericOption, range: NumberRange) =>
    readNumber(name, { option, value: options[option], range })
  return new Job({
    kind: "job",
    name,
    schema,
    // The cast is safe: the handler is called only with the schema's output.
    handler: handler as JobDefinition["handler"],
    retryLimit: number("retryLimit", { fallback: 3, min: 0, max: 1000, isWhole: true }),
    retryDelayMs: number("retryDelay", { fallback: 5, min: 0, max: MAX_TIMEOUT_S }) * 1000,
    timeoutMs: number("timeout", { fallback: 300, min: 0.001, max: MAX_TIMEOUT_S }) * 1000,
    leaseMs: DEFAULT_LEASE_MS,
    concurrency: number("concurrency", { fallback: Number.POSITIVE_INFINITY, min: 1, max: 10_000, isWhole: true }),
    priority: number("priority", { fallback: 0, min: -MAX_PRIORITY, max: MAX_PRIORITY, isWhole: true }),
    cron: readCron(name, options.cron),
  })
}

function checkDeclaration(declaration: { readonly name: string; readonly options?: JobOptions }): void {
  const { name, options = {} } = declaration
  const misplaced = Object.keys(declaration).find((key) => OPTIONS.includes(key))
  if (misplaced) throw new TypeError(`Job "${name}": ${misplaced} is an option. Write options: { ${misplaced}: … }.`)
  assertKnownKeys(`Job "${name}"`, declaration, ["name", "schema", "handler", "options"])
  assertKnownKeys(`options of job "${name}"`, options, OPTIONS)
}

type NumericOption = Exclude<keyof JobOptions, "cron">

interface NumberRange {
  readonly fallback: number
  readonly min: number
  readonly max: number
  readonly isWhole?: boolean
}

interface NumberOptionInput {
  readonly option: NumericOption
  readonly value: unknown
  readonly range: NumberRange
}

function readNumber(name: string, { option, value, range }: NumberOptionInput): number {
  const { fallback, min, max, isWhole } = range
  if (value === undefined) return fallback
  const fits = typeof value === "number" && value >= min && value <= max && (!isWhole || Number.isInteger(value))
  if (fits) return value
  throw new TypeError(`Job "${name}": ${option} must be a ${isWhole ? "whole " : ""}number from ${min} to ${max}.`)
}

function readCron(name: string, cron: JobOptions["cron"]): JobDefinition["cron"] {
  if (cron === undefined) return undefined
  const { pattern, timeZone, payload = {} }: CronOptions = typeof cron === "string" ? { pattern: cron } : cron
  try {
    return Object.freeze({ pattern: parseCron(pattern, timeZone), payload })
  } catch (cause) {
    throw new TypeError(`Job "${name}": ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

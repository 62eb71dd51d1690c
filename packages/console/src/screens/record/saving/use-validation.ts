import { KitClientError, type RecordAccess } from "kit/client"
import { useEffect, useMemo } from "react"
import { afterPress } from "../../../form/after-press.ts"
import { checkLimits } from "../../../form/check-limits.ts"
import type { FormProblems, Problem } from "../../../form/form-problems.ts"
import type { FormStore } from "../../../form/form-store.ts"
import type { Path } from "../../../form/path.ts"
import type { ResourceSchema } from "../../../kit/descriptions.ts"
import type { RecordOperations } from "../../../kit/record-operations.ts"
import type { Words } from "../../../words/words.ts"

interface Validated {
  readonly store: FormStore
  readonly problems: FormProblems
  readonly schema: ResourceSchema
  readonly operations: Pick<RecordOperations, "write">
  /** Undefined while the record is new, or while the rights are not known. */
  readonly rights: RecordAccess | undefined
  readonly isNew: boolean
  readonly words: Words["record"]
}

/**
 * Returns a function that checks a value which the person has left: first by the limits of its description, and then, if
 * it is edited, by one dry run of the server, which the next one aborts.
 */
export function useValidation(validated: Validated): (path: Path) => void {
  const validator = useMemo(() => new Validator(validated), [validated])
  useEffect(() => () => validator.stop(), [validator])
  return useMemo(
    () =>
      ([field]: Path) =>
        afterPress(() => void validator.check(field)),
    [validator],
  )
}

/** Returns what is wrong with a field, as far as the page can know it. */
export function problemsInPage(
  { store, schema, words }: Pick<Validated, "store" | "schema" | "words">,
  field: string,
): Problem[] {
  const unparsed = [...store.unparsed()]
    .filter(([path]) => isWithin(path, field))
    .map(([path, { problem }]) => ({ path, message: problem }))
  const part = schema.fields[field]
  if (unparsed.length > 0 || part === undefined) return unparsed
  return checkLimits(
    store.isTranslation(field) ? { ...part, required: false } : part,
    { path: field, value: store.read([field]) },
    words,
  )
}

class Validator {
  readonly #validated: Validated
  // The value of each field that was found right or wrong by the server.
  readonly #checked = new Map<string, unknown>()
  readonly #touched = new Set<string>()
  #dryRun: AbortController | undefined
  #dryRunField = ""

  constructor(validated: Validated) {
    this.#validated = validated
  }

  stop(): void {
    this.#dryRun?.abort()
  }

  async check(field: string): Promise<void> {
    const { store, problems } = this.#validated
    this.#touched.add(field)
    const found = problemsInPage(this.#validated, field)
    const value = store.read([field])
    if (found.length === 0 && store.isEdited(field) && this.#mayDryRun(field)) {
      if (this.#checked.get(field) === value) return
      this.#checked.set(field, value)
      await this.#runDry(field)
      return
    }
    // The answer for a former value would take these problems away.
    if (this.#dryRunField === field) this.#dryRun?.abort()
    this.#checked.delete(field)
    problems.setField(field, found)
  }

  async #runDry(field: string): Promise<void> {
    const { store, problems, operations, isNew } = this.#validated
    this.#dryRun?.abort()
    const dryRun = new AbortController()
    this.#dryRun = dryRun
    this.#dryRunField = field
    const edits = store.edits()
    const data = isNew ? edits : { [field]: edits[field] }
    const failure = await failureOf(() => operations.write(data, { dryRun: true, signal: dryRun.signal }))
    if (dryRun.signal.aborted) {
      this.#checked.delete(field)
      return
    }
    problems.setField(field, [])
    for (const [touched, found] of this.#problemsOf(failure)) problems.setField(touched, found)
  }

  // The server may find something wrong with fields in which the person has not been yet.
  #problemsOf(failure: unknown): [field: string, problems: Problem[]][] {
    const found = failure instanceof KitClientError ? (failure.fieldErrors ?? []) : []
    return [...this.#touched]
      .map((touched): [string, Problem[]] => [touched, found.filter(({ path }) => isWithin(path, touched))])
      .filter(([, problems]) => problems.length > 0)
  }

  // A rule may look at what is written. Where it depends on the record only, that is known to be allowed; a field that
  // decides who may write, such as the team of an article, is left to the save.
  #mayDryRun(field: string): boolean {
    const { store, schema, rights, isNew } = this.#validated
    const { operations } = schema.access
    const access = schema.fields[field]?.access
    // Without its id, a record that needs one is refused before anything else is looked at.
    const lacksId = schema.options.id === "client" && isNew && store.read(["id"]) === null
    if (isNew) return operations.create === true && access?.create === true && !lacksId
    if (operations.update === true && access?.update === true) return true
    const isAllowed = rights?.operations.update === true && rights.fields[field]?.update === true
    return isAllowed && schema.relations[field] === undefined
  }
}

function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`)
}

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error
  }
}

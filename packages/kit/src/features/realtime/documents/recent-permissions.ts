import { isDeepStrictEqual } from "node:util"
import type { OperationContext } from "../../../engine/context/operation-context.ts"
import type { NamedDocument } from "../../../engine/documents/document-address.ts"
import { keyOfChange } from "../../../engine/operations/reads/live.ts"
import type { Session } from "../../../ports/session-provider.ts"
import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import type { DocumentPermission } from "./document-permission.ts"

type EvaluatePermission = (ctx: OperationContext, named: NamedDocument) => Promise<DocumentPermission>

interface RecentPermission {
  readonly session: Session | null
  readonly evaluatedAt: number
  readonly evaluation: Promise<DocumentPermission>
  /** Undefined while the rules are evaluated. */
  result: DocumentPermission | undefined
}

// The maximum age of a permission. A caller who types sends many requests, for which the rules are evaluated once per
// this time.
const MAX_AGE_MS = 4_000
const MAX_ENTRIES = 2_000

/** The permissions of callers who have just sent something for a document. */
export class RecentPermissions {
  readonly #evaluate: EvaluatePermission
  /** The permissions by caller and document, the oldest first. */
  readonly #entries = new Map<string, RecentPermission>()

  constructor(evaluate: EvaluatePermission) {
    this.#evaluate = evaluate
  }

  /** Returns the caller's permission. Throws if the caller may not read the document. */
  find(ctx: OperationContext, named: NamedDocument): Promise<DocumentPermission> {
    const key = keyOf(ctx, named)
    const known = this.#entries.get(key)
    if (known && !isOld(known) && isDeepStrictEqual(known.session, ctx.session)) return known.evaluation
    this.#entries.delete(key)
    return this.#add(key, ctx, named)
  }

  /** Evaluates the caller's permission again: the known one may belong to a document that no longer exists. */
  renew(ctx: OperationContext, named: NamedDocument): Promise<DocumentPermission> {
    this.#entries.delete(keyOf(ctx, named))
    return this.find(ctx, named)
  }

  /** Forgets the permissions that these changes may alter. */
  onChanges(changes: readonly CommittedChange[]): void {
    if (this.#entries.size === 0) return
    const resources = new Set(changes.map(keyOfChange))
    for (const [key, { result }] of this.#entries) {
      if (result === undefined || mayAlter(result, changes, resources)) this.#entries.delete(key)
    }
  }

  forgetAll(): void {
    this.#entries.clear()
  }

  #add(key: string, ctx: OperationContext, named: NamedDocument): Promise<DocumentPermission> {
    this.#makeRoom()
    const evaluation = this.#evaluate(ctx, named)
    const entry: RecentPermission = {
      session: ctx.session,
      evaluatedAt: performance.now(),
      evaluation,
      result: undefined,
    }
    this.#entries.set(key, entry)
    evaluation.then(
      (result) => {
        entry.result = result
      },
      () => this.#forget(key, entry),
    )
    return evaluation
  }

  #forget(key: string, entry: RecentPermission): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key)
  }

  // Deletes entries that are too old, and the oldest entry if there are too many.
  #makeRoom(): void {
    for (const [key, entry] of this.#entries) {
      if (!isOld(entry) && this.#entries.size < MAX_ENTRIES) return
      this.#entries.delete(key)
    }
  }
}

function keyOf({ session, locale }: OperationContext, named: NamedDocument): string {
  return JSON.stringify([session?.user.id, locale, named])
}

function isOld({ evaluatedAt }: RecentPermission): boolean {
  return performance.now() - evaluatedAt > MAX_AGE_MS
}

function mayAlter(
  permission: DocumentPermission,
  changes: readonly CommittedChange[],
  resources: ReadonlySet<string>,
): boolean {
  const { ruleDependencies, address } = permission
  if ([...ruleDependencies].some((resource) => resources.has(resource))) return true
  const { resource, recordId } = address
  const own = `${resource.kind} ${resource.name}`
  if (!resources.has(own)) return false
  return changes.some(
    (change) => change.record === recordId && keyOfChange(change) === own && permission.isAffectedBy(change),
  )
}

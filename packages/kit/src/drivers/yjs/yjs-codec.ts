import * as Y from "yjs"
import type {
  DeletedNames,
  DocumentCodec,
  DocumentDifference,
  DocumentSurvey,
  ExceededLimit,
  UnreadableDocument,
  UpdateFacts,
} from "../../ports/document-codec.ts"
import { temporaryFailure } from "../temporary-failure.ts"
import { GroupedChecks } from "./grouped-checks.ts"
import { factsOf } from "./sections/update-facts.ts"
import { type CallOutcome, CodecThread } from "./thread/codec-thread.ts"
import type { CodecCall } from "./thread/thread-message.ts"

interface YjsCodecOptions {
  /** The time that the check of an update may take. */
  readonly checkLimitMs?: number
  /** The time that any other call may take before it goes on in a thread of its own. */
  readonly quickLimitMs?: number
  /** The time that any other call may take. */
  readonly callLimitMs?: number
  /** The memory that each thread may use. */
  readonly memoryLimitMb?: number
}

const CHECK_LIMIT_MS = 2000
// A call that takes longer than this goes on in a thread of its own, so that it does not hold up the others.
const QUICK_LIMIT_MS = 2000
const CALL_LIMIT_MS = 15_000
// The facts of a smaller update are read in the present thread, which takes less time than the way to another thread.
const MAX_QUICK_BYTES = 4096
const MEMORY_LIMIT_MB = 512
// Yjs deletes and encodes nested types by recursion, so a deeply nested document needs a deep stack.
const STACK_LIMIT_MB = 32

/**
 * Returns a codec that runs Yjs in threads: one for checks, because only they see updates that nobody has looked at, one
 * for everything else, and one for the calls that take long.
 */
export function createYjsCodec(options: YjsCodecOptions = {}): DocumentCodec {
  const { checkLimitMs = CHECK_LIMIT_MS, callLimitMs = CALL_LIMIT_MS, memoryLimitMb = MEMORY_LIMIT_MB } = options
  const resourceLimits = { maxOldGenerationSizeMb: memoryLimitMb, stackSizeMb: STACK_LIMIT_MB }
  const checks = new CodecThread({ timeLimitMs: checkLimitMs, resourceLimits })
  const grouped = new GroupedChecks(checks)
  const quickLimitMs = Math.min(options.quickLimitMs ?? QUICK_LIMIT_MS, callLimitMs)
  const calls = new CodecThread({ timeLimitMs: quickLimitMs, resourceLimits })
  const slowCalls = new CodecThread({ timeLimitMs: callLimitMs, resourceLimits })
  const run = async (call: CodecCall) => {
    const outcome = await calls.run(call)
    const isSlow = outcome.kind === "exceeded" && outcome.limit === "time" && quickLimitMs < callLimitMs
    return resultOf(isSlow ? await slowCalls.run(call) : outcome)
  }
  // The casts are safe: the thread answers each kind of call with the result of the function of that name.
  return {
    create: async (root, value) => (await run({ kind: "create", root, value })) as Uint8Array,
    check: (root, update) => grouped.check(root, update),
    read: (root, updates) => run({ kind: "read", root, updates }),
    edit: async (root, updates, value) => (await run({ kind: "edit", root, updates, value })) as Uint8Array | undefined,
    deletedNames: async (root, updates, update) =>
      (await run({ kind: "deletedNames", root, updates, update })) as DeletedNames,
    compact: async (updates) => (await run({ kind: "compact", updates })) as Uint8Array,
    differenceFrom: async (updates, stateVector) =>
      (await run({ kind: "differenceFrom", updates, stateVector })) as DocumentDifference,
    factsOf: async (update) => {
      if (update.byteLength <= MAX_QUICK_BYTES) return factsOf(update)
      const [facts = factsOf(update)] = (await run({ kind: "facts", updates: [update] })) as readonly UpdateFacts[]
      return facts
    },
    cut: async (update, known) => {
      const [cut = update] = (await run({ kind: "cut", updates: [update], known })) as readonly Uint8Array[]
      return cut
    },
    survey: async (root, updates) => (await run({ kind: "survey", root, updates })) as DocumentSurvey,
    clocksIn: (stateVector) => Y.decodeStateVector(stateVector),
    stateVectorOf: (clocks) => Y.encodeStateVector(new Map(clocks)),
    close: async () => {
      await Promise.all([checks, calls, slowCalls].map((thread) => thread.close()))
    },
  }
}

function resultOf(outcome: CallOutcome): unknown {
  switch (outcome.kind) {
    case "result":
      return outcome.result
    case "failure":
      throw unreadable(outcome.message)
    case "exceeded":
      throw exceededLimit(outcome.limit)
    default:
      return outcome satisfies never
  }
}

function unreadable(reason: string): UnreadableDocument {
  return Object.assign(new Error(`The document cannot be read or changed: ${reason}`), { isUnreadable: true as const })
}

function exceededLimit(limit: ExceededLimit["exceededLimit"]): ExceededLimit {
  const failure = temporaryFailure(`The document takes too much ${limit} to read or change.`, undefined)
  return Object.assign(failure, { exceededLimit: limit })
}

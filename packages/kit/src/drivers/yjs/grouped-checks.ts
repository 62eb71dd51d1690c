import type { CheckedUpdate, DocumentRoot } from "../../ports/document-codec.ts"
import { temporaryFailure } from "../temporary-failure.ts"
import type { CallOutcome, CodecThread } from "./thread/codec-thread.ts"

interface WaitingCheck {
  readonly root: DocumentRoot
  readonly update: Uint8Array
  resolve(checked: CheckedUpdate): void
  reject(error: unknown): void
}

const UNDECODABLE: CheckedUpdate = { refusal: "The update cannot be decoded." }
const MAX_GROUP = 200
// A larger update is checked alone. What takes long to decode is never small.
const MAX_GROUPED_BYTES = 4096

/**
 * Checks updates in a thread. The updates that arrive while others are being checked are sent to the thread together,
 * because on a busy machine the way there and back takes far longer than the check of an update.
 */
export class GroupedChecks {
  readonly #thread: Pick<CodecThread, "run">
  #waiting: WaitingCheck[] = []
  #isRunning = false

  constructor(thread: Pick<CodecThread, "run">) {
    this.#thread = thread
  }

  /** Returns why the update is refused, or what it does to names. */
  check(root: DocumentRoot, update: Uint8Array): Promise<CheckedUpdate> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ root, update, resolve, reject })
      if (!this.#isRunning) void this.#checkAll()
    })
  }

  async #checkAll(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      const group = new Set(firstGroup(this.#waiting))
      this.#waiting = this.#waiting.filter((check) => !group.has(check))
      await this.#checkGroup([...group])
    }
    this.#isRunning = false
  }

  async #checkGroup(group: readonly WaitingCheck[]): Promise<void> {
    const [first] = group
    if (first === undefined) return
    try {
      const updates = group.map(({ update }) => update)
      const outcome = await this.#thread.run({ kind: "check", root: first.root, updates })
      if (outcome.kind === "exceeded" && group.length > 1) return await this.#checkEach(group)
      if (isSmall(first) && outcome.kind === "exceeded" && outcome.limit === "time") throw tooBusy()
      for (const [index, { resolve }] of group.entries()) resolve(checkedOf(outcome, index))
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  // One of the updates takes too long, or too much memory. The others must not be refused with it.
  async #checkEach(group: readonly WaitingCheck[]): Promise<void> {
    for (const check of group) await this.#checkGroup([check])
  }
}

// Returns the first updates that may be checked together: small ones, of one root.
function firstGroup([first, ...others]: readonly WaitingCheck[]): readonly WaitingCheck[] {
  if (first === undefined) return []
  if (!isSmall(first)) return [first]
  const { name, shape } = first.root
  const fitting = others.filter((check) => isSmall(check) && check.root.name === name && check.root.shape === shape)
  return [first, ...fitting.slice(0, MAX_GROUP - 1)]
}

function isSmall({ update }: WaitingCheck): boolean {
  return update.byteLength <= MAX_GROUPED_BYTES
}

// The machine is to blame for a small update that takes too long. It may be sent again.
function tooBusy(): Error {
  return temporaryFailure("The server is too busy to check the update.", undefined)
}

function checkedOf(outcome: CallOutcome, index: number): CheckedUpdate {
  switch (outcome.kind) {
    case "result":
      // The cast is safe: a check returns the result of each update.
      return (outcome.result as readonly CheckedUpdate[])[index] ?? UNDECODABLE
    case "failure":
      return UNDECODABLE
    case "exceeded":
      return { refusal: `The update takes too much ${outcome.limit} to decode.` }
    default:
      return outcome satisfies never
  }
}

import { type DevMessage, type DevReport, isStartedByDev, reportToDev } from "./dev-reports.ts"

/**
 * Waits until the app may change the tables and take the port. If an older version of the app is serving, first
 * rehearses the table changes, and then waits until `kit dev` has ended that version.
 */
export async function waitForTurn(rehearse: () => Promise<void>): Promise<void> {
  if (!isStartedByDev()) return
  const { isOtherServing } = await ask({ isLoaded: true }, (message) => "isOtherServing" in message && message)
  if (!isOtherServing) return
  await rehearse()
  await ask({ isChecked: true }, (message) => "mayTakeOver" in message && message)
}

/** A state of `kit dev` that this process keeps up to date. */
export interface FollowedStatus {
  /** The mistake that keeps a newer version of the app from starting. */
  mistake: string | undefined
}

/** Returns the state of `kit dev`, which changes when `kit dev` reports a mistake in a newer version of the app. */
export function followDev(): FollowedStatus {
  const status: FollowedStatus = { mistake: undefined }
  onMessage((message) => {
    if ("mistake" in message) status.mistake = message.mistake
  })
  return status
}

// Sends a report and resolves to the message that `select` picks as its answer.
function ask<Answer>(report: DevReport, select: (message: DevMessage) => Answer | false): Promise<Answer> {
  return new Promise((resolve) => {
    const stop = onMessage((message) => {
      const answer = select(message)
      if (answer === false) return
      stop()
      resolve(answer)
    })
    void reportToDev(report)
  })
}

// Calls `callback` for each message from `kit dev`. Returns a function that stops this.
function onMessage(callback: (message: DevMessage) => void): () => void {
  if (!isStartedByDev()) return () => {}
  // The cast is safe: only `kit dev` writes to the IPC channel.
  const listener = (message: unknown) => callback(message as DevMessage)
  process.on("message", listener)
  return () => void process.off("message", listener)
}

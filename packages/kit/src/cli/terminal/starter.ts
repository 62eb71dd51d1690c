import { EventEmitter } from "node:events"
import { isStartedByDev } from "../dev/dev-reports.ts"
import { isRunByNpm } from "../project/npm.ts"

// How often this process looks whether npm has gone. A look is one system call, which takes about a microsecond.
const CHECK_MS = 500
// The process that becomes the parent of a process whose own parent has ended.
const INIT_PID = 1

// Noted as soon as the command line is loaded. Later it is the id of another process if the parent has ended.
const parentAtStart = process.ppid
const events = new EventEmitter()
let isFollowed = false

/**
 * Calls `onEnd` when the process that started this one has ended: `kit dev`, or npm with its shell. A shell that npm
 * uses, such as dash, ends at a signal without passing it on, so that npm's end is the only sign of the signal. A
 * process that neither has started is not followed.
 */
export function onStarterEnd(onEnd: () => void): void {
  follow()
  events.on("end", onEnd)
}

/** Removes a callback of `onStarterEnd`. */
export function offStarterEnd(onEnd: () => void): void {
  events.off("end", onEnd)
}

function follow(): void {
  if (isFollowed) return
  isFollowed = true
  const end = () => void events.emit("end")
  // The IPC channel disconnects when `kit dev`, which started this process, has ended.
  process.on("disconnect", end)
  if (isRunByNpm() && !isStartedByDev() && parentAtStart !== INIT_PID) followParent(end)
}

function followParent(end: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parentAtStart) return
    clearInterval(timer)
    end()
  }, CHECK_MS)
  timer.unref()
}

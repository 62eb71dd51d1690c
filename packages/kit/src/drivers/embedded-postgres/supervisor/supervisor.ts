import { join } from "node:path"
import { inspect } from "node:util"
import { dataDirectoryOf } from "../files/database-home.ts"
import { closeSocketDirectory, openSocketDirectory } from "../files/socket-directory.ts"
import { takeLock } from "../files/supervisor-lock.ts"
import { serverUserFor } from "../files/unprivileged-user.ts"
import { ControlListener } from "./control-listener.ts"
import { Holds } from "./holds.ts"
import { LISTENING, LOCK_TAKEN, type SupervisorOptions } from "./launch-supervisor.ts"
import { serveHolders } from "./serve-holders.ts"

// The entry point of the supervisor. This detached process runs the PostgreSQL server of one database home, and stops
// it when no process uses it any more.
const [, , home = "", supervision = "{}"] = process.argv
// The process that launched this supervisor may have exited before it reads the supervisor's first output.
process.stdout.on("error", () => {})
// The supervisor's standard error is the log file, whose disk may be full.
process.stderr.on("error", () => {})
process.exit(await supervise(home, JSON.parse(supervision)).then(() => 0, reportFailure))

async function supervise(home: string, supervision: SupervisorOptions): Promise<void> {
  const user = serverUserFor(dataDirectoryOf(home))
  const socketDirectory = openSocketDirectory(home, user)
  const controlSocket = join(socketDirectory, `control-${process.pid}.sock`)
  const holds = new Holds(supervision.lingerMs)
  const control = await ControlListener.open(controlSocket, holds, user)
  // The previous supervisor is exiting and has just removed the socket directory. The process that launched this one
  // retries.
  if (control === undefined) return writeFirstOutput(LOCK_TAKEN)
  const lock = await takeLock(home, controlSocket)
  writeFirstOutput(lock === undefined ? LOCK_TAKEN : LISTENING)
  if (lock !== undefined) await serveHolders(holds, { home, lock, control, socketDirectory, user, supervision })
  // Refuses new connections, so that new processes launch another supervisor. Processes that have left wait for their
  // connections to close. That happens when this process exits, and shows them that the server has stopped.
  control.close()
  closeSocketDirectory(socketDirectory)
}

function writeFirstOutput(word: string): void {
  process.stdout.write(word)
}

function reportFailure(error: unknown): number {
  writeFirstOutput(error instanceof Error ? error.message : String(error))
  // The supervisor's standard error is the log file.
  process.stderr.write(`${inspect(error)}\n`)
  return 1
}

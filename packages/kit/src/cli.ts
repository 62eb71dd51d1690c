// Before the author's files: once these are loaded through another loader, every module on the way costs more.
import "./index.ts"
import { runCommand } from "./cli/run.ts"
import { endWithReader, flushOutput } from "./cli/terminal/standard-output.ts"

endWithReader()
const { code, isServing } = await runCommand(process.argv.slice(2))
if (!isServing) {
  await flushOutput()
  // Whatever an author's file has left open must not keep the process alive.
  process.exit(code)
}

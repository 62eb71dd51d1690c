// Imports kit before the author's files. Those files are loaded through another module loader, after which every module
// loads more slowly.
import "./index.ts"
import { runCommand } from "./cli/run.ts"
import { exitOnClosedPipe, flushOutput } from "./cli/terminal/standard-output.ts"

exitOnClosedPipe()
const { code, isServing } = await runCommand(process.argv.slice(2))
if (!isServing) {
  await flushOutput()
  // Exits explicitly, because handles that an author's file has left open would keep the process alive.
  process.exit(code)
}

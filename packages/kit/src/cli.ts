// Before the author's files: once these are loaded through another loader, every module on the way costs more.
import "./index.ts"
import { runCommand } from "./cli/run.ts"

const code = await runCommand(process.argv.slice(2))
// A command that failed may have left something open that would keep the process alive.
if (code !== 0) process.exit(code)

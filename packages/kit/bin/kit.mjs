#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`kit needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}
// Not before: an older Node would stop at its first line with something nobody understands.
await import("../dist/bundle/cli.js")

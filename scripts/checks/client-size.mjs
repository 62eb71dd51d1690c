import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

const ENTRY = "packages/kit/src/client.ts"
const MAX_BYTES = 6 * 1024

/**
 * What a page loads to use the client, minified and compressed, stays small; nothing of it needs Node or a package.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkClientSize(root) {
  const { code, imports } = await bundle(join(root, ENTRY))
  const problems = imports.map((name) => `The client imports "${name}"; it must run in a browser without any package`)
  const bytes = gzipSync(code, { level: 9 }).length
  console.log(`    the client is ${bytes} bytes, minified and compressed (at most ${MAX_BYTES})`)
  if (bytes > MAX_BYTES) problems.push(`The client has ${bytes} bytes; at most ${MAX_BYTES}, minified and compressed`)
  return problems
}

/** @param {string} input */
async function bundle(input) {
  const bundled = await rolldown({ input, platform: "browser", external: (id) => !/^[./]|^[A-Z]:/i.test(id) })
  const { output } = await bundled.generate({ format: "esm", minify: true, comments: false })
  await bundled.close()
  return { code: output[0].code, imports: output[0].imports }
}

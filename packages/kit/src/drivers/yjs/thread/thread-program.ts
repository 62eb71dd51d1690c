/** A program for a thread: the URL of its file, or its source text. */
export type ThreadProgram = { readonly file: URL } | { readonly text: string }

// Every thread of the process runs the same text, so it is made only once.
let bundled: Promise<string> | undefined

/**
 * Returns the program of the codec's threads. In the built package it is a file of its own. In the source tree it is
 * TypeScript, which Node cannot run, so it is compiled to text together with everything that it imports.
 */
export async function threadProgram(): Promise<ThreadProgram> {
  const isSource = new URL(import.meta.url).pathname.endsWith(".ts")
  if (!isSource) return { file: new URL("./yjs-thread.js", import.meta.url) }
  bundled ??= bundle(new URL("./yjs-thread.ts", import.meta.url).pathname)
  return { text: await bundled }
}

async function bundle(entry: string): Promise<string> {
  // Loaded here, because the built package does not need it.
  const { build } = await import("esbuild")
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    logLevel: "silent",
  })
  return outputFiles.map(({ text }) => text).join("\n")
}

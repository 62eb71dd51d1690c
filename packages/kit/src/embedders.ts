export { embedderOf } from "./drivers/embedders/embedder-of.ts"
export { offlineEmbedder } from "./drivers/embedders/offline-embedder.ts"
export { type OpenAiEmbedderOptions, openAiEmbedder } from "./drivers/embedders/openai-embedder.ts"
export type { Embedder } from "./ports/embedder.ts"

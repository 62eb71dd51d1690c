/**
 * Turns texts into vectors: lists of numbers that are close to each other if the texts have a similar meaning. All
 * vectors of an embedder have the same length.
 */
export interface Embedder {
  /**
   * The name of the model. Vectors of different models cannot be compared, so a new name has all texts embedded again.
   */
  readonly model: string
  readonly dimensions: number
  /** The maximum number of texts in one call; 64 unless set. */
  readonly batchSize?: number
  /**
   * How similar two texts have to be so that one is found by the other: the cosine of the angle between their vectors, at
   * most 1. It depends on the model; 0.2 unless set.
   */
  readonly minSimilarity?: number
  /** Returns one vector for each text, in the same order. A rejected call is tried again later. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly (readonly number[] | Float32Array)[]>
  /** Releases what the embedder holds, such as a thread. */
  close?(): Promise<void>
}

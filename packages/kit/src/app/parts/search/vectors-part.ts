import { checkedEmbedder } from "../../../drivers/embedders/checked-embedder.ts"
import { type OpenVectors, openVectors } from "../../../features/search/vectors/open-vectors.ts"
import type { Database } from "../../../ports/database.ts"
import type { Logger } from "../../../ports/logger.ts"
import type { AppInputs } from "../../app-inputs.ts"
import type { Part } from "../../part-list.ts"

interface VectorsDependencies extends Pick<AppInputs, "config"> {
  readonly database: Database
  readonly logger: Logger
}

/** The search by meaning, if the app has an embedder. Closing also closes the embedder. */
export const vectorsPart: Part<VectorsDependencies, { readonly vectors: OpenVectors | undefined }> = {
  open: async ({ config: { search }, database, logger }) => {
    if (search?.embedder === undefined) return { vectors: undefined }
    const embedder = checkedEmbedder(search.embedder)
    return { vectors: await openVectors({ database, embedder, maxBytes: search.vectorBytes, logger }) }
  },
  close: ({ config }) => config.search?.embedder?.close?.(),
}

import { AdapterIndex } from "../../../features/search/external/adapter-index.ts"
import type { Logger } from "../../../ports/logger.ts"
import type { AppInputs } from "../../app-inputs.ts"
import type { Part } from "../../part-list.ts"

interface AdapterDependencies extends Pick<AppInputs, "config"> {
  readonly logger: Logger
}

/** The search engine outside of the database, if the app has one. */
export const adapterPart: Part<AdapterDependencies, { readonly adapter: AdapterIndex | undefined }> = {
  open: ({ config: { search }, logger }) => ({
    adapter: search?.adapter && new AdapterIndex(search.adapter, logger),
  }),
  close: ({ adapter }) => adapter?.close(),
}

import { searchOf } from "../../engine/search/index/indexed-tables.ts"
import type { Connection } from "../../ports/database.ts"
import { addWords } from "../../sql/search/vocabulary/words.ts"
import type { IndexStep } from "./index-step.ts"

/** Adds the words of changed records to the vocabulary, by which misspelled words of queries are understood. */
export function vocabularyStep(connection: Connection): IndexStep {
  return {
    name: "words",
    process: async (batch) => {
      await connection.query(addWords(batch.resource, searchOf(batch), batch.ids))
    },
  }
}

import { useFormats } from "../../../kit/formats.ts"
import { useFindTitle } from "../../../kit/titles.ts"
import { useWords } from "../../../words/words.ts"
import type { ShownCondition } from "../use-list.ts"
import { type Sentence, sentenceOf } from "./sentence.ts"

/** Returns the sentences of conditions, in their order; undefined for those that the descriptions do not know. */
export function useSentences(conditions: readonly ShownCondition[]): readonly (Sentence | undefined)[] {
  const words = useWords("list")
  const formats = useFormats()
  const titleOf = useFindTitle()
  return conditions.map(({ resolved }) => (resolved ? sentenceOf(resolved, { words, formats, titleOf }) : undefined))
}

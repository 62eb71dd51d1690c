import type { CollectionSchema } from "kit/client"
import { Plus } from "lucide-react"
import { Link } from "wouter"
import { Button } from "../../parts/button.tsx"
import { Icon } from "../../parts/icon.tsx"
import { Failure, Notice } from "../../parts/notice.tsx"
import { newRecordPath } from "../../routes.ts"
import { useWords } from "../../words/words.ts"
import { sentenceText } from "./filter/sentence.ts"
import { useSentences } from "./filter/use-sentences.ts"
import { filterOf } from "./list-options.ts"
import { type ListState, PLAIN_LIST } from "./list-state.ts"
import { type List, useListCount } from "./use-list.ts"
import type { ChangeListState } from "./use-list-state.ts"

interface ListNoticeProps {
  readonly schema: CollectionSchema
  readonly state: ListState
  readonly change: ChangeListState
  readonly list: List
  readonly mayCreate: boolean
}

/** In the place of rows: why there are none, and what to do. */
export function ListNotice(props: ListNoticeProps) {
  const words = useWords("list")
  const { schema, state, list, mayCreate } = props
  if (list.followed.status === "error" && list.followed.error) {
    return <Failure title={words.failed} error={list.followed.error} onRetry={list.followed.retry} />
  }
  if (state.conditions.length > 0 || state.search !== "" || state.view !== null) return <NothingMatches {...props} />
  if (state.isTrash) {
    return (
      <Notice title={words.emptyTrash}>
        <p>{words.emptyTrashHint}</p>
      </Notice>
    )
  }
  if (schema.access.operations.read === "filtered") {
    return (
      <Notice title={words.hidden(schema.singularLabel)}>
        <p>{words.hiddenHint(schema.label)}</p>
        {mayCreate && <CreateLink schema={schema} />}
      </Notice>
    )
  }
  return (
    <Notice title={words.empty(schema.label)}>
      <p>{schema.description ?? words.emptyHint}</p>
      {mayCreate && <CreateLink schema={schema} />}
    </Notice>
  )
}

function CreateLink({ schema }: { readonly schema: CollectionSchema }) {
  const words = useWords("list")
  return (
    <Link className="button" href={newRecordPath(schema.name)}>
      <Icon of={Plus} />
      {words.create(schema.singularLabel, schema.label)}
    </Link>
  )
}

/** Names what can be dropped, with the number of records that would be there without it. */
function NothingMatches({ schema, state, change, list }: ListNoticeProps) {
  const words = useWords("list")
  const all = useListCount(
    schema.name,
    filterOf(schema, { ...PLAIN_LIST, isTrash: state.isTrash, stage: state.stage }, []),
  )
  const sentences = useSentences(list.conditions)
  const resolved = list.conditions.map((condition) => condition.resolved)
  const known = resolved.flatMap((condition) => condition ?? [])
  return (
    <Notice
      title={all.count ? words.noneOf(words.count(all.count, all.isMore), schema.label) : words.noneMatch(schema.label)}
    >
      <ul className="drops">
        {state.search !== "" && (
          <Drop
            sentence={words.searchSentence(state.search)}
            schema={schema}
            filter={filterOf(schema, { ...state, search: "" }, known)}
            onDrop={() => change({ search: "" })}
          />
        )}
        {resolved.map((condition, place) => {
          const sentence = sentences[place]
          if (condition === null || sentence === undefined) return null
          const text = sentenceText(sentence)
          return (
            <Drop
              key={text}
              sentence={text}
              schema={schema}
              filter={filterOf(
                schema,
                state,
                known.filter((each) => each !== condition),
              )}
              onDrop={() => change({ conditions: state.conditions.filter((_, each) => each !== place) })}
            />
          )
        })}
      </ul>
      <Button look="quiet" onPress={() => change({ conditions: [], search: "", view: null })}>
        {words.clearAll}
      </Button>
    </Notice>
  )
}

interface DropProps {
  readonly sentence: string
  readonly schema: CollectionSchema
  readonly filter: ReturnType<typeof filterOf>
  readonly onDrop: () => void
}

function Drop({ sentence, schema, filter, onDrop }: DropProps) {
  const words = useWords("list")
  const { count, isMore } = useListCount(schema.name, filter)
  // Nothing is gained by dropping it alone.
  if (count === 0) return null
  return (
    <li>
      <span>
        {words.withoutLead} <b>{sentence}</b>
        {count !== undefined && ` ${words.without(words.count(count, isMore))}`}
      </span>
      <Button onPress={onDrop}>{words.drop(sentence)}</Button>
    </li>
  )
}

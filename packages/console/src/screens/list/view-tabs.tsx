import type { CollectionSchema } from "kit/client"
import { Link } from "wouter"
import { listPath } from "../../routes.ts"
import { useWords } from "../../words/words.ts"
import { type ListState, listQuery, PLAIN_LIST } from "./list-state.ts"

interface ViewTabsProps {
  readonly schema: CollectionSchema
  readonly state: ListState
}

/** The lists that the author has declared, and the trash. They are addresses, so that they open in other tabs, too. */
export function ViewTabs({ schema, state }: ViewTabsProps) {
  const words = useWords("list")
  const { views } = schema.list
  const hasTrash = mayUseTrash(schema)
  if (views.length === 0 && !hasTrash) return null
  const kept = { ...PLAIN_LIST, stage: state.stage, locale: state.locale }
  const isAll = state.view === null && !state.isTrash
  const path = listPath(schema.name)
  return (
    <nav className="tabs" aria-label={words.views}>
      <Link href={path + listQuery(kept)} aria-current={isAll ? "page" : undefined}>
        {words.all}
      </Link>
      {views.map(({ label }, view) => (
        <Link
          key={label}
          href={path + listQuery({ ...kept, view })}
          aria-current={state.view === view && !state.isTrash ? "page" : undefined}
        >
          {label}
        </Link>
      ))}
      {hasTrash && (
        <Link
          className="trash"
          href={path + listQuery({ ...kept, isTrash: true })}
          aria-current={state.isTrash ? "page" : undefined}
        >
          {words.trash}
        </Link>
      )}
    </nav>
  )
}

/** Returns whether deleted records are kept, and the person may delete some. */
function mayUseTrash({ options, access }: CollectionSchema): boolean {
  return options.softDelete && (access.operations.delete ?? false) !== false
}

import type { AdminUser } from "kit/client"
import { Plus } from "lucide-react"
import { useState } from "react"
import { AsCodeButton } from "../../as-code/as-code-button.tsx"
import { useAppIndex } from "../../kit/descriptions.ts"
import { useFirstScreenShown } from "../../kit/first-screen.ts"
import { mayAdminister } from "../../kit/may-administer.ts"
import { Icon } from "../../parts/icon.tsx"
import { Failure, Notice } from "../../parts/notice.tsx"
import { useTitle } from "../../shell/title.ts"
import { useWords } from "../../words/words.ts"
import { BanDialog } from "./ban-dialog.tsx"
import { CreatePerson } from "./create-person.tsx"
import { peopleExamples } from "./people-code.ts"
import { PeopleTable } from "./people-table.tsx"
import { RoleDialog } from "./role-dialog.tsx"
import { usePeople } from "./use-people.ts"

/** The accounts of the app, for those who may manage them. */
export function PeopleScreen() {
  const words = useWords("people")
  useTitle(words.title)
  useFirstScreenShown(true)
  if (mayAdminister(useAppIndex())) return <Accounts />
  return (
    <main className="sheet">
      <Notice title={words.notAllowed} />
    </main>
  )
}

/** The dialog that is open over the list. */
type OpenDialog = { readonly kind: "create" } | { readonly kind: "role" | "ban"; readonly user: AdminUser }

function Accounts() {
  const words = useWords("people")
  const [search, setSearch] = useState("")
  const people = usePeople(search.trim())
  const [dialog, setDialog] = useState<OpenDialog>()
  return (
    <main className="sheet">
      <header className="bar">
        <h1>{words.title}</h1>
        {people.users && (
          <span className="count number" role="status">
            <span className="visually-hidden">{words.count(people.total)}</span>
            <span aria-hidden>{people.total}</span>
          </span>
        )}
        <span className="rest" />
        <AsCodeButton examples={() => peopleExamples(search.trim())} />
        <button type="button" className="button primary" onClick={() => setDialog({ kind: "create" })}>
          <Icon of={Plus} />
          {words.create}
        </button>
      </header>
      <div className="people-search">
        <input
          className="input"
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      <Found
        people={people}
        search={search.trim()}
        onRole={(user) => setDialog({ kind: "role", user })}
        onBan={(user) => setDialog({ kind: "ban", user })}
      />
      {dialog && <OpenedDialog dialog={dialog} people={people} onClose={() => setDialog(undefined)} />}
    </main>
  )
}

interface FoundProps {
  readonly people: ReturnType<typeof usePeople>
  readonly search: string
  readonly onRole: (user: AdminUser) => void
  readonly onBan: (user: AdminUser) => void
}

function Found({ people: { users, total, error, reload, showMore }, search, onRole, onBan }: FoundProps) {
  const words = useWords("people")
  if (error) return <Failure title={words.failed} error={error} onRetry={reload} />
  if (users === undefined) return <div className="people-loading" aria-hidden />
  if (users.length === 0) {
    return (
      <Notice title={words.none}>
        <p>{words.noneHint(search)}</p>
      </Notice>
    )
  }
  return (
    <div className="people-list">
      <PeopleTable users={users} onRole={onRole} onBan={onBan} onChanged={reload} />
      {users.length < total && (
        <button type="button" className="button" onClick={showMore}>
          {words.more}
        </button>
      )}
    </div>
  )
}

interface OpenedDialogProps {
  readonly dialog: OpenDialog
  readonly people: ReturnType<typeof usePeople>
  readonly onClose: () => void
}

function OpenedDialog({ dialog, people: { users = [], reload }, onClose }: OpenedDialogProps) {
  // An app names no roles: offered are those that somebody has.
  const roles = [...new Set(["admin", "user", ...users.map(({ role }) => role)])]
  switch (dialog.kind) {
    case "create":
      return <CreatePerson roles={roles} onClose={onClose} onChanged={reload} />
    case "role":
      return <RoleDialog user={dialog.user} roles={roles} onClose={onClose} onChanged={reload} />
    case "ban":
      return <BanDialog user={dialog.user} onClose={onClose} onChanged={reload} />
    default:
      return dialog satisfies never
  }
}

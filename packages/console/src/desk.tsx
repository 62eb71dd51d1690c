import { lazy, Suspense } from "react"
import { Redirect, Route, Switch } from "wouter"
import { DeskLayers } from "./keys/desk-layers.tsx"
import { useAppIndex } from "./kit/descriptions.ts"
import { ConfirmDialog } from "./parts/dialog.tsx"
import { Notice } from "./parts/notice.tsx"
import { globalPath, listPath, ROUTES } from "./routes.ts"
import { ListScreen } from "./screens/list/list-screen.tsx"
import { Shell } from "./shell/shell.tsx"
import { useWords } from "./words/words.ts"
import "./styles/index.css"

const RecordScreen = lazy(async () => ({ default: (await import("./screens/record/record-screen.tsx")).RecordScreen }))
const GlobalScreen = lazy(async () => ({ default: (await import("./screens/record/record-screen.tsx")).GlobalScreen }))

const AccountScreen = lazy(async () => ({
  default: (await import("./screens/account/account-screen.tsx")).AccountScreen,
}))
const PeopleScreen = lazy(async () => ({ default: (await import("./screens/people/people-screen.tsx")).PeopleScreen }))

/** The screens of a person who has signed in, beside the sidebar. */
export function Desk() {
  return (
    <Shell>
      <Suspense>
        <Switch>
          <Route path={ROUTES.home} component={FirstPlace} />
          <Route path={ROUTES.list}>
            {({ collection }) => <ListScreen key={collection} collection={collection} />}
          </Route>
          <Route path={ROUTES.newRecord}>
            {({ collection }) => <RecordScreen key={collection} collection={collection} id={null} />}
          </Route>
          <Route path={ROUTES.record}>
            {({ collection, id }) => <RecordScreen key={`${collection}/${id}`} collection={collection} id={id} />}
          </Route>
          <Route path={ROUTES.global}>{({ global }) => <GlobalScreen key={global} global={global} />}</Route>
          <Route path={ROUTES.account} component={AccountScreen} />
          <Route path={ROUTES.people} component={PeopleScreen} />
          <Route component={UnknownPlace} />
        </Switch>
      </Suspense>
      <DeskLayers />
      <ConfirmDialog />
    </Shell>
  )
}

/** The console has no home yet: it opens with the first place of the sidebar. */
function FirstPlace() {
  const [first] = useAppIndex().resources
  if (first === undefined) return <UnknownPlace />
  return <Redirect to={first.kind === "collection" ? listPath(first.name) : globalPath(first.name)} replace />
}

function UnknownPlace() {
  const words = useWords("shell")
  return (
    <main className="sheet">
      <Notice title={words.notFound}>
        <p>{words.notFoundHint}</p>
      </Notice>
    </main>
  )
}

import { Suspense } from "react"
import { Link, Redirect, Route, Switch, useLocation } from "wouter"
import { DeskLayers } from "./keys/desk-layers.tsx"
import { useAppIndex } from "./kit/descriptions.ts"
import { useFirstScreenShown } from "./kit/first-screen.ts"
import { ScreenBoundary } from "./parts/boundaries.tsx"
import { ConfirmDialog } from "./parts/dialog.tsx"
import { loadableScreen } from "./parts/loadable.tsx"
import { Notice } from "./parts/notice.tsx"
import { globalPath, listPath, ROUTES } from "./routes.ts"
import { ListScreen } from "./screens/list/list-screen.tsx"
import { Shell } from "./shell/shell.tsx"
import { deskWords } from "./words/desk-words.ts"
import { currentLanguage } from "./words/language.ts"
import { useWords, WordsContext } from "./words/words.ts"
import "./styles/index.css"

const RecordScreen = loadableScreen(async () => (await import("./screens/record/record-screen.tsx")).RecordScreen)
const GlobalScreen = loadableScreen(async () => (await import("./screens/record/record-screen.tsx")).GlobalScreen)

const AccountScreen = loadableScreen(async () => (await import("./screens/account/account-screen.tsx")).AccountScreen)
const PeopleScreen = loadableScreen(async () => (await import("./screens/people/people-screen.tsx")).PeopleScreen)

/** The screens of a person who has signed in, beside the sidebar. */
export function Desk() {
  return (
    <WordsContext value={deskWords(currentLanguage())}>
      <ShownScreen />
    </WordsContext>
  )
}

function ShownScreen() {
  const words = useWords("shell")
  const [address] = useLocation()
  const wayBack = <Link href={ROUTES.home}>{words.wayBack}</Link>
  return (
    <ScreenBoundary address={address} wayBack={wayBack}>
      <Shell>
        <ScreenBoundary address={address} wayBack={wayBack}>
          <Screens />
        </ScreenBoundary>
        <DeskLayers />
        <ConfirmDialog />
      </Shell>
    </ScreenBoundary>
  )
}

function Screens() {
  return (
    <Suspense>
      <Switch>
        <Route path={ROUTES.home} component={FirstPlace} />
        <Route path={ROUTES.list}>{({ collection }) => <ListScreen key={collection} collection={collection} />}</Route>
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
  useFirstScreenShown(true)
  return (
    <main className="sheet">
      <Notice title={words.notFound}>
        <p>{words.notFoundHint}</p>
      </Notice>
    </main>
  )
}

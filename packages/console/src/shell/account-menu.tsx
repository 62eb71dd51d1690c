import { LogOut, UserRound, UsersRound } from "lucide-react"
import { Button as AriaButton } from "react-aria-components/Button"
import { Header, Menu, MenuItem, MenuSection, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { Link, useLocation } from "wouter"
import { boot } from "../kit/boot.ts"
import { useAppIndex } from "../kit/descriptions.ts"
import { mayAdminister } from "../kit/may-administer.ts"
import { Icon } from "../parts/icon.tsx"
import { initialsOf } from "../parts/initials.ts"
import { tintOf } from "../parts/tint.ts"
import { ROUTES } from "../routes.ts"
import { useWords } from "../words/words.ts"
import { THEMES, useTheme } from "./appearance.ts"
import { useSignOutHere } from "./use-sign-out-here.ts"

/** The person who has signed in, at the end of the sidebar, with a menu for their account. */
export function AccountMenu() {
  const words = useWords("shell")
  const account = useWords("account")
  const { user } = useAppIndex()
  const [, navigate] = useLocation()
  const signOut = useSignOutHere()
  if (user === null) return null
  const name = user.name ?? user.id
  return (
    <div className="account-place">
      <PeopleLink />
      <MenuTrigger>
        <AriaButton className="account">
          <span className="initials" aria-hidden style={tintOf(user.id)}>
            {initialsOf(name)}
          </span>
          <span className="account-name">
            {name}
            {user.role && <small>{user.role}</small>}
          </span>
        </AriaButton>
        <Popover className="floating menu-popover" placement="top start" offset={4}>
          <Menu className="menu-list" aria-label={`${account.menu} ${name}`}>
            <MenuSection className="menu-section" aria-label={words.account}>
              <MenuItem className="menu-item" onAction={() => navigate(ROUTES.account)}>
                <Icon of={UserRound} />
                {words.account}
              </MenuItem>
            </MenuSection>
            <ThemeSection />
            <MenuSection className="menu-section" aria-label={words.signOut}>
              <MenuItem className="menu-item" onAction={() => void signOut()}>
                <Icon of={LogOut} />
                {words.signOut}
              </MenuItem>
            </MenuSection>
          </Menu>
        </Popover>
      </MenuTrigger>
    </div>
  )
}

function ThemeSection() {
  const words = useWords("shell")
  const [theme, choose] = useTheme()
  const labels = { device: words.likeDevice, light: words.light, dark: words.dark }
  const chooseKey = (key: unknown) => choose(THEMES.find((each) => each === key) ?? "device")
  return (
    <MenuSection
      className="menu-section"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[theme]}
      onSelectionChange={(keys) => chooseKey([...keys][0])}
    >
      <Header className="menu-group">{words.theme}</Header>
      {THEMES.map((each) => (
        <MenuItem key={each} id={each} className="menu-item chosen-by-dot">
          {labels[each]}
        </MenuItem>
      ))}
    </MenuSection>
  )
}

/** The same as links, for the sheet of all places on a phone. */
export function AccountLinks({ onLeave }: { readonly onLeave: () => void }) {
  const words = useWords("shell")
  const signOut = useSignOutHere()
  const index = useAppIndex()
  return (
    <section>
      <h2 className="menu-group">{index.user?.name ?? boot.brand.name}</h2>
      {mayAdminister(index) && (
        <Link className="menu-item" href={ROUTES.people} onClick={onLeave}>
          <Icon of={UsersRound} />
          {words.people}
        </Link>
      )}
      <Link className="menu-item" href={ROUTES.account} onClick={onLeave}>
        <Icon of={UserRound} />
        {words.account}
      </Link>
      <button
        type="button"
        className="menu-item"
        onClick={() => {
          onLeave()
          void signOut()
        }}
      >
        <Icon of={LogOut} />
        {words.signOut}
      </button>
    </section>
  )
}

function PeopleLink() {
  const words = useWords("shell")
  const [location] = useLocation()
  if (!mayAdminister(useAppIndex())) return null
  return (
    <Link
      className="place"
      href={ROUTES.people}
      aria-current={location === ROUTES.people ? "page" : undefined}
      title={words.people}
    >
      <Icon of={UsersRound} />
      <span className="place-name">{words.people}</span>
    </Link>
  )
}

import { Ellipsis } from "lucide-react"
import type { ReactNode } from "react"
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  Header,
  MenuSection,
  MenuTrigger,
} from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { Button } from "./button.tsx"
import { Icon } from "./icon.tsx"

/** One action of a menu. */
export interface MenuItem<Id extends string = string> {
  readonly id: Id
  readonly label: string
  /** A second line, in small letters. */
  readonly hint?: string
  /** Drawn before the label. */
  readonly icon?: ReactNode
  /** Shown at the end of the line, such as a key. */
  readonly end?: string
  /** The heading above the action. Actions that follow each other and have the same one stand together. */
  readonly group?: string
  readonly isDanger?: boolean
  readonly isDisabled?: boolean
}

interface MenuProps<Id extends string> {
  /** The name of the button that opens the menu, for those who do not see it. */
  readonly label: string
  readonly items: readonly MenuItem<Id>[]
  readonly onAction: (id: Id) => void
  /** The content of the button. Without it, three dots. */
  readonly children?: ReactNode
  readonly look?: "plain" | "primary" | "quiet" | "icon"
  readonly placement?: "bottom start" | "bottom end" | "top start" | "top end"
}

/** A button that opens a list of actions. */
export function Menu<Id extends string>(props: MenuProps<Id>) {
  const { label, items, onAction, children, look = children ? "quiet" : "icon", placement = "bottom end" } = props
  return (
    <MenuTrigger>
      <Button look={look} aria-label={label}>
        {children ?? <Icon of={Ellipsis} />}
      </Button>
      <Popover className="floating menu-popover" placement={placement} offset={4}>
        {/* The keys of the menu are the ids of its items. */}
        <AriaMenu className="menu-list" aria-label={label} onAction={(key) => onAction(key as Id)}>
          {groupsOf(items).map(({ group, members }) => (
            <MenuSection key={group} className="menu-section" aria-label={group || label}>
              {group && <Header className="menu-group">{group}</Header>}
              {members.map((item) => (
                <MenuAction key={item.id} item={item} />
              ))}
            </MenuSection>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}

function MenuAction({ item }: { readonly item: MenuItem }) {
  const { id, label, hint, icon, end, isDanger = false, isDisabled = false } = item
  return (
    <AriaMenuItem
      id={id}
      textValue={label}
      isDisabled={isDisabled}
      className={isDanger ? "menu-item danger" : "menu-item"}
    >
      {icon}
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
      {end && <span className="end">{end}</span>}
    </AriaMenuItem>
  )
}

function groupsOf(items: readonly MenuItem[]): { group: string; members: MenuItem[] }[] {
  const groups: { group: string; members: MenuItem[] }[] = []
  for (const item of items) {
    const last = groups.at(-1)
    if (last && last.group === (item.group ?? "")) last.members.push(item)
    else groups.push({ group: item.group ?? "", members: [item] })
  }
  return groups
}

import type { FieldSchema } from "kit/client"
import { type ReactNode, useSyncExternalStore } from "react"
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs"
import { useForm } from "../../../form/form-context.ts"
import { useWords } from "../../../words/words.ts"
import type { FieldGroup, FormLayout, FormTab } from "./form-layout.ts"
import { IdField } from "./id-field.tsx"
import { RecordField } from "./record-field.tsx"

interface FormBodyProps {
  readonly layout: FormLayout
  /** The index of the tab that is open. */
  readonly tab: number
  readonly onTab: (tab: number) => void
  /** Stands above the fields of every tab. */
  readonly children?: ReactNode
}

/** The fields of a record: the document with its tabs, and the properties beside it. */
export function FormBody({ layout, tab, onTab, children }: FormBodyProps) {
  const words = useWords("record")
  const { tabs, side } = layout
  const open = tabs[tab] ?? tabs[0]
  const column = open && (
    <div className={layout.isPlain ? "column plain" : "column"}>
      {children}
      {tab === 0 && <Opening layout={layout} />}
      <Groups groups={open.groups} look="field" />
    </div>
  )
  const properties = side.length > 0 && (
    <aside className="properties" aria-label={words.details}>
      <Groups groups={side} look="property" />
    </aside>
  )
  const className = side.length > 0 ? "record" : "record without-side"
  if (tabs.length < 2) {
    return (
      <div className={className}>
        <div className="document">{column}</div>
        {properties}
      </div>
    )
  }
  return (
    <Tabs className="record-tabs" selectedKey={String(tab)} onSelectionChange={(key) => onTab(Number(key))}>
      <TabList className="tab-list" aria-label={words.details}>
        {tabs.map((each, index) => (
          <Tab key={each.label} id={String(index)} className="tab">
            {each.label}
            <TabMark tab={each} />
          </Tab>
        ))}
      </TabList>
      <div className={className}>
        {/* Without the key, the panel would keep the id of the one before, and no tab would lead to it. */}
        <TabPanel key={tab} id={String(tab)} className="document">
          {column}
        </TabPanel>
        {properties}
      </div>
    </Tabs>
  )
}

/** The title, and the id of a new record whose author chooses it. */
function Opening({ layout: { title } }: { readonly layout: FormLayout }) {
  const { resource, recordId, locale } = useForm()
  const field = title === null ? undefined : resource.fields[title]
  const choosesId = recordId === null && resource.kind === "collection" && resource.options.id === "client"
  return (
    <>
      {field && <RecordField key={keyOf(field, locale)} field={field} look="title" />}
      {choosesId && <IdField />}
    </>
  )
}

// The editor of a localized text is mounted again in each locale: its own state belongs to one of them.
function keyOf({ name, localized }: FieldSchema, locale: string): string {
  return localized ? `${name}/${locale}` : name
}

interface GroupsProps {
  readonly groups: readonly FieldGroup[]
  readonly look: "field" | "property"
}

function Groups({ groups, look }: GroupsProps) {
  const { resource, locale } = useForm()
  return groups.map(({ label, fields }) => (
    <section key={`${label}/${fields[0]}`} className={look === "field" ? "field-group" : "property-group"}>
      {label !== null && <h2>{label}</h2>}
      {fields.map((name) => {
        const field = resource.fields[name]
        return field && <RecordField key={keyOf(field, locale)} field={field} look={look} />
      })}
    </section>
  ))
}

/** Says that something in the tab is wrong, for those who are in another one. */
function TabMark({ tab }: { readonly tab: FormTab }) {
  const { problems } = useForm()
  const fields = tab.groups.flatMap((group) => group.fields)
  const count = useSyncExternalStore(
    (listener) => problems.subscribe(null, listener),
    () => problems.all().filter(({ path }) => fields.includes(path.split(".", 1)[0] ?? "")).length,
  )
  return count > 0 && <span className="tab-problems number">{count}</span>
}

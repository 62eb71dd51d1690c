import { useMemo, useState } from "react"
import { type Form, FormContext, useForm } from "../../../form/form-context.ts"
import { FormProblems } from "../../../form/form-problems.ts"
import { FormStore } from "../../../form/form-store.ts"
import type { ResourceSchema } from "../../../kit/descriptions.ts"
import { useWords } from "../../../words/words.ts"
import { FormBody } from "../layout/form-body.tsx"
import { layoutOf } from "../layout/form-layout.ts"
import type { Version } from "./version-pages.ts"
import { Authors, Moment } from "./versions-list.tsx"

interface VersionViewProps {
  readonly version: Version
  /** The fields that have other values now. */
  readonly differing: ReadonlySet<string>
}

/** A version in the layout of the form, where nothing can be changed. */
export function VersionView({ version, differing }: VersionViewProps) {
  const words = useWords("versions")
  const form = useForm()
  const { resource } = form
  const shown = useMemo(() => readOnlyForm(form, { version, differing }), [form, version, differing])
  const layout = useMemo(
    () => layoutOf(resource, ({ name }) => Object.hasOwn(version.values, name)),
    [resource, version],
  )
  const [tab, setTab] = useState(0)
  const labels = [...differing].map((name) => resource.fields[name]?.label ?? name)
  return (
    <FormContext value={shown}>
      <div className="drawer-form version-form">
        <FormBody layout={layout} tab={tab} onTab={setTab}>
          <div className="version-head">
            <p>
              {words.operations[version.operation] ?? version.operation} · <Moment at={version.at} />
            </p>
            <Authors version={version} />
            <p>{labels.length === 0 ? words.asNow : words.differs(labels)}</p>
            {hasLinks(resource) && <p className="hint">{words.linksNotShown}</p>}
          </div>
        </FormBody>
      </div>
    </FormContext>
  )
}

function readOnlyForm(form: Form, { version, differing }: VersionViewProps): Form {
  return {
    ...form,
    store: new FormStore(version.values, form.store.language),
    problems: new FormProblems(),
    isReadOnly: () => true,
    fallbackOf: () => undefined,
    originOf: () => undefined,
    differs: (field) => differing.has(field),
    onLeave: () => undefined,
  }
}

function hasLinks({ relations }: ResourceSchema): boolean {
  return Object.values(relations).some(({ type }) => type === "manyToMany")
}

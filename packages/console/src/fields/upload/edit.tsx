import { useForm } from "../../form/form-context.ts"
import { useWords } from "../../words/words.ts"
import type { EditProps } from "../edit-props.ts"
import { ToManyEdit } from "../relation/links/to-many-edit.tsx"
import { relationOf } from "../relation/relation-of.ts"
import { useReadableTarget, useTarget } from "../relation/use-target.ts"
import { ChosenFile } from "./chosen-file.tsx"
import { FileChooser } from "./file-chooser.tsx"

/** Edits a file, or a gallery of several. */
export function UploadEdit(props: EditProps) {
  const words = useWords("relations")
  const relation = relationOf(useForm().resource, props.part, props.path)
  const target = useReadableTarget(relation?.target ?? null)
  if (relation === null || target === undefined) return <p className="quiet-line">{words.unreadable}</p>
  if (relation.kind === "one") return <OneFileEdit {...props} collection={target.name} />
  return <ToManyEdit {...props} relation={relation} collection={target.name} />
}

function OneFileEdit(props: EditProps & { readonly collection: string }) {
  const { value, collection, isReadOnly } = props
  const words = useWords("relations")
  const target = useTarget(collection)
  const id = typeof value === "string" ? value : null
  if (target === undefined) return <p className="quiet-line" aria-busy="true" />
  if (id === null && isReadOnly) return <span className="none">{words.none}</span>
  if (id === null) return <FileChooser {...props} target={target} onChosen={(file) => props.onChange(file.id)} />
  return <ChosenFile {...props} target={target} id={id} />
}

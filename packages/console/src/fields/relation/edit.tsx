import { useForm } from "../../form/form-context.ts"
import { useWords } from "../../words/words.ts"
import type { EditProps } from "../edit-props.ts"
import { ToManyEdit } from "./links/to-many-edit.tsx"
import { relationOf } from "./relation-of.ts"
import { ToOneEdit } from "./to-one-edit.tsx"
import { useReadableTarget } from "./use-target.ts"

/** Edits a relation, to one record or to many. */
export function RelationEdit(props: EditProps) {
  const words = useWords("relations")
  const relation = relationOf(useForm().resource, props.part, props.path)
  const target = useReadableTarget(relation?.target ?? null)
  if (relation === null || target === undefined) return <p className="quiet-line">{words.unreadable}</p>
  if (relation.kind === "one") return <ToOneEdit {...props} collection={target.name} />
  return <ToManyEdit {...props} relation={relation} collection={target.name} />
}

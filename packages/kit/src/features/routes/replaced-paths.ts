import { isProblem } from "../../schema/compile/field-type.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import type { CompiledRoute } from "./compile-routes.ts"

// The paths of a record that came after the first release. A route may take the place of such a path, because the
// author may have declared it before.
const LATER_PATHS: readonly string[] = ["GET access"]

/**
 * Returns a sentence for each route that answers in place of a path of a record, such as `/posts/front/access` for the
 * post with the id "front".
 */
export function describeReplacedPaths(routes: readonly CompiledRoute[], { collections }: AppSchema): readonly string[] {
  return routes.flatMap(({ definition, segments, title, file }) => {
    const [name, id, path, ...more] = segments.map((segment) => (segment.kind === "fixed" ? segment.text : ""))
    const resource = collections.get(name ?? "")
    const isLater = more.length === 0 && LATER_PATHS.includes(`${definition.method} ${path}`)
    if (resource === undefined || !isLater || isProblem(resource.id.type.parse(id))) return []
    return [
      `The route ${title} (${file}) answers in place of the path that kit has for the record "${id}" of "${name}". Rename the route to have both.`,
    ]
  })
}

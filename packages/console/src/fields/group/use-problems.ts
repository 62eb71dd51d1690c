import { useCallback, useSyncExternalStore } from "react"
import { useForm } from "../../form/form-context.ts"
import type { FormProblems } from "../../form/form-problems.ts"
import { type Path, pathText } from "../../form/path.ts"

/** Returns what is wrong with the value at a path itself, as one text. */
export function useOwnProblem(path: Path): string {
  const text = pathText(path)
  return useProblems(path, (problems) => problems.at(text).join(" "))
}

/** Returns how many problems there are at and below a path. */
export function useProblemCount(path: Path): number {
  const text = pathText(path)
  return useProblems(path, (problems) => problems.within(text).length)
}

/** Returns the indexes of the items of a list in which something is wrong. */
export function useTroubledItems(path: Path): readonly number[] {
  const below = `${pathText(path)}.`
  const indexes = useProblems(path, (problems) => {
    const paths = problems.all().map((problem) => problem.path)
    const items = paths
      .filter((each) => each.startsWith(below))
      .map((each) => each.slice(below.length).split(".", 1)[0])
    return [...new Set(items)].join(" ")
  })
  return indexes === "" ? [] : indexes.split(" ").map(Number)
}

function useProblems<Found extends string | number>(path: Path, find: (problems: FormProblems) => Found): Found {
  const { problems } = useForm()
  const [field] = path
  const subscribe = useCallback((listener: () => void) => problems.subscribe(field, listener), [problems, field])
  return useSyncExternalStore(subscribe, () => find(problems))
}

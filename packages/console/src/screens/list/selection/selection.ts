import { useCallback, useMemo, useState } from "react"

export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly toggle: (id: string) => void
  /** Selects all rows from the last one that was toggled to this one. */
  readonly extendTo: (id: string, rows: readonly string[]) => void
  readonly selectAll: (rows: readonly string[]) => void
  readonly clear: () => void
}

interface Selected {
  readonly ids: ReadonlySet<string>
  /** Where a range begins. */
  readonly anchor: string | null
}

const NOTHING: Selected = { ids: new Set(), anchor: null }

/** The selected rows of a list. */
export function useSelection(): Selection {
  const [{ ids }, setSelected] = useState(NOTHING)
  const toggle = useCallback((id: string) => {
    setSelected((former) => {
      const next = new Set(former.ids)
      if (!next.delete(id)) next.add(id)
      return { ids: next, anchor: id }
    })
  }, [])
  const extendTo = useCallback((id: string, rows: readonly string[]) => {
    setSelected((former) => {
      const [from, to] = [rows.indexOf(former.anchor ?? id), rows.indexOf(id)].sort((one, other) => one - other)
      if (from === undefined || to === undefined || from < 0) return former
      return { ids: new Set([...former.ids, ...rows.slice(from, to + 1)]), anchor: former.anchor ?? id }
    })
  }, [])
  const selectAll = useCallback((rows: readonly string[]) => setSelected({ ids: new Set(rows), anchor: null }), [])
  const clear = useCallback(() => setSelected(NOTHING), [])
  return useMemo(() => ({ ids, toggle, extendTo, selectAll, clear }), [ids, toggle, extendTo, selectAll, clear])
}

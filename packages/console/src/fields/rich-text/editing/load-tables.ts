import { useEffect, useRef, useState } from "react"
import { eachNode, richTextOf } from "../schema/rich-text-json.ts"
import type { TableEditing } from "./table-editing.ts"

let loaded: TableEditing | null = null

/**
 * Returns the tools for tables, and a function that loads them. They are loaded immediately if the text has a table; `isReady`
 * is false until then. `onLoad` is called before they are there.
 */
export function useTables(value: unknown, onLoad?: () => void) {
  const [isNeeded, setIsNeeded] = useState(() => hasTable(value))
  const [tables, setTables] = useState(loaded)
  const called = useRef(onLoad)
  useEffect(() => {
    if (!isNeeded || tables) return undefined
    let isGone = false
    const take = async () => {
      loaded = (await import("./table-editing.ts")).TABLE_EDITING
      if (isGone) return
      called.current?.()
      setTables(loaded)
    }
    void take()
    return () => {
      isGone = true
    }
  }, [isNeeded, tables])
  return { tables, isReady: tables !== null || !isNeeded, load: setIsNeeded }
}

function hasTable(value: unknown): boolean {
  const text = richTextOf(value)
  let found = false
  if (text) {
    eachNode(text, ({ type }) => {
      if (type === "table") found = true
    })
  }
  return found
}

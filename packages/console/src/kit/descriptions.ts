import type { AppIndex, CollectionSchema, GlobalSchema } from "kit/client"
import { useRead } from "kit/react-reads"
import { createContext, useContext } from "react"
import { client } from "./client.ts"
import { collectionHandle, globalHandle } from "./resources.ts"

export type ResourceSchema = CollectionSchema | GlobalSchema

/** The index of the app, which the gate has read before anything below it is rendered. */
export const AppIndexContext = createContext<AppIndex | null>(null)

/** Returns the index of the app: its collections and globals, as far as the person may know them. */
export function useAppIndex(): AppIndex {
  const index = useContext(AppIndexContext)
  if (index === null) throw new Error("useAppIndex is called outside of the desk.")
  return index
}

/** Reads the index of the app for the person who is signed in; reads nothing while nobody is. */
export function useReadAppIndex(isSignedIn: boolean) {
  return useRead(client.schema, isSignedIn ? {} : null)
}

/** Reads the full description of a collection. Components share it, and the browser keeps it by its ETag. */
export function useCollectionSchema(name: string | null) {
  return useRead(collectionHandle(name ?? "").schema, name === null ? null : {})
}

/** Reads the full description of a global. */
export function useGlobalSchema(name: string | null) {
  return useRead(globalHandle(name ?? "").schema, name === null ? null : {})
}

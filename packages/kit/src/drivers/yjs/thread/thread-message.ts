import type { Clocks, DocumentRoot } from "../../../ports/document-codec.ts"

/** A call of the codec, as it is sent to a thread. */
export type CodecCall =
  | { readonly kind: "create"; readonly root: DocumentRoot; readonly value: unknown }
  | { readonly kind: "check"; readonly root: DocumentRoot; readonly updates: readonly Uint8Array[] }
  | { readonly kind: "read"; readonly root: DocumentRoot; readonly updates: readonly Uint8Array[] }
  | {
      readonly kind: "edit"
      readonly root: DocumentRoot
      readonly updates: readonly Uint8Array[]
      readonly value: unknown
    }
  | { readonly kind: "facts"; readonly updates: readonly Uint8Array[] }
  | { readonly kind: "cut"; readonly updates: readonly Uint8Array[]; readonly known: Clocks }
  | { readonly kind: "survey"; readonly root: DocumentRoot; readonly updates: readonly Uint8Array[] }
  | {
      readonly kind: "deletedNames"
      readonly root: DocumentRoot
      readonly updates: readonly Uint8Array[]
      readonly update: Uint8Array
    }
  | { readonly kind: "compact"; readonly updates: readonly Uint8Array[] }
  | {
      readonly kind: "differenceFrom"
      readonly updates: readonly Uint8Array[]
      readonly stateVector: Uint8Array | undefined
    }

/** A message of a thread: it can take calls, or its present call has ended. */
export type ThreadMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "failure"; readonly message: string }

import type { FormStore } from "../../../form/form-store.ts"

// Forms on their way from one address to another, such as from that of a new record to that of its id.
const carried = new Map<string, FormStore>()

/** Keeps a form for the screen at an address, which is opened next. */
export function carryForm(address: string, store: FormStore): void {
  carried.set(address, store)
}

/** Returns the form that was kept for an address, once. */
export function takeCarriedForm(address: string): FormStore | undefined {
  const store = carried.get(address)
  carried.delete(address)
  return store
}

/** A value that is there already, or a promise of it. */
export type MaybePromise<Value> = Value | Promise<Value>

/**
 * Calls `next` with the value: synchronously, or after the value resolves if it is a promise. With an `await` at each
 * step from the server to the author's handler and back, a small route answers 13 % fewer requests (bench row route,
 * 0.87 and 0.86). For reads from the database there is no difference.
 */
export function whenReady<Value, Result>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value)
}

/** Calls `step` for one item after the other. Waits only for steps that return a promise. */
export function forEachReady<Item>(
  items: Iterable<Item>,
  step: (item: Item) => MaybePromise<void>,
): MaybePromise<void> {
  const iterator = items[Symbol.iterator]()
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    const pending = step(next.value)
    if (isPromise(pending)) return stepThroughRest(pending, iterator, step)
  }
}

async function stepThroughRest<Item>(
  pending: PromiseLike<void>,
  iterator: Iterator<Item>,
  step: (item: Item) => MaybePromise<void>,
): Promise<void> {
  await pending
  for (let next = iterator.next(); !next.done; next = iterator.next()) await step(next.value)
}

/** True if the value has a method `then`. `instanceof Promise` would miss promises from libraries with their own class. */
export function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"
}

/** Calls `next` with the value, synchronously unless it is a promise: in a hot path, a needless await is measurable. */
export function whenReady<Value, Result>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value)
}

// True if the value has a method `then`. `instanceof Promise` would miss promises from libraries with their own class.
function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"
}

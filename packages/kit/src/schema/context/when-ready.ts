/** Goes on with a value: at once where it is there already. On a short way each wait for nothing is felt. */
export function whenReady<Value, Result>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value)
}

// Libraries have promises of their own.
function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"
}

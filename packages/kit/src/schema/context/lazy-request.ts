/**
 * The key under which a route's context holds the function that creates its request. The getter that all contexts share
 * calls it: a getter per context would give each its own hidden class in V8, which costs more than the rest of a call.
 */
export const MAKE_REQUEST: unique symbol = Symbol("makeRequest")

/**
 * The key under which a route's context holds the function that creates its Request. A getter that all contexts share
 * calls this function, because a getter per context would give each context its own hidden class in V8, which costs
 * more than the rest of a call.
 */
export const MAKE_REQUEST: unique symbol = Symbol("makeRequest")

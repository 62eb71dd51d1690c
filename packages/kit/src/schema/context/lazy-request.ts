/**
 * The key under which a route's context holds the function that creates the context's Request. One getter, which all
 * contexts share, calls this function. If each context had its own getter, V8 would give each context its own hidden
 * class, which would cost more time than everything else in a call.
 */
export const MAKE_REQUEST: unique symbol = Symbol("makeRequest")

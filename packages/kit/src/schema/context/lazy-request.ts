/**
 * Under this name a route's context holds the function that makes its request. The getter of all contexts calls it: a getter
 * of its own would give every context a shape of its own, which costs more than all the rest of a call.
 */
export const MAKE_REQUEST: unique symbol = Symbol("makeRequest")

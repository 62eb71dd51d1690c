/** Compiles only when both types are the same. */
export function same<Actual, Expected>(..._proof: Same<Actual, Expected> extends true ? [] : [never]): void {}

type Same<Left, Right> =
  (<Probe>() => Probe extends Left ? 1 : 2) extends <Probe>() => Probe extends Right ? 1 : 2 ? true : false

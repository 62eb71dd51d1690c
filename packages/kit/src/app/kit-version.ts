/** The version of this package. A test compares it with `package.json`, which bundlers of an app may leave out. */
export const KIT_VERSION = "0.1.0"

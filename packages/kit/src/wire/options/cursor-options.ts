/** The names of the options that page a list by cursors. Only in these options does null have a meaning. */
export const CURSOR_OPTIONS: readonly string[] = ["after", "before"]

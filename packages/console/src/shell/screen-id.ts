/** The id of the element in which every screen stands, to which the focus moves when a screen is opened. */
export const SCREEN_ID = "screen"

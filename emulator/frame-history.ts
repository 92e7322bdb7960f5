/** Frames of the wire that a device keeps, and its page with it, unless somebody asks for another number. */
export const FRAME_HISTORY_SIZE = 2000

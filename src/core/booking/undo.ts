/**
 * How long whoever moved an appointment can take the move back, in seconds. Messages about it wait as long, so that nobody is told
 * of a slip. Source: rule A18.
 */
export const UNDO_SECONDS = 30

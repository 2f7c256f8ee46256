/**
 * A slot starts at most this many times 24 hours after now. A file of its own: the booking page needs the number only.
 * Source: rule T10.
 */
export const MAX_DAYS_AHEAD = 730

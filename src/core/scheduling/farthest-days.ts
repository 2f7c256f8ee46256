/** A slot starts at most this many times 24 hours after now. A file of its own: the booking page needs the number only. */
export const FARTHEST_DAYS = 730

/**
 * Maximum number of days ahead that a slot can start, counted in 24-hour periods from now. In its own file, because the booking page
 * needs only this number. Source: rule T10.
 */
export const MAX_DAYS_AHEAD = 730

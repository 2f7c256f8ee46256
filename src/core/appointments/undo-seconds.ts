/**
 * How long a move can be undone, in seconds. Messages about the move are delayed by the same time, so nobody hears of a
 * slip. Source: rule A18.
 */
export const UNDO_SECONDS = 30

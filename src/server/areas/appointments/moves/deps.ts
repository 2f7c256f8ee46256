import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'

/**
 * Dependencies of moving an appointment. `undoSeconds`: how long the emails about a move are delayed, so that it can be undone.
 */
export type MoveDeps = BookingsDeps & { readonly undoSeconds: number }

import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'

/** What moving needs beside booking. `undoSeconds`: how long the messages about a move wait, so that it can be taken back. */
export type MoveDeps = BookingsDeps & { readonly undoSeconds: number }

import type { Interval } from '#core/shared/interval.ts'

/** Least and most seats of a type. Source: rule B50. */
export const SEAT_LIMITS = { least: 2, most: 500 } as const

/** Maximum number of seats that a customer can book on a calendar for one day. Source: rule B57. */
export const SEATS_PER_CUSTOMER_AND_DAY = 10

/** A session that somebody has booked. Its seats may all be taken. */
export type Session = Interval & { readonly seatsLeft: number }

/** Returns the session with exactly this time. */
export function findSession(sessions: readonly Session[], time: Interval): Session | undefined {
  return sessions.find(({ startMs, endMs }) => startMs === time.startMs && endMs === time.endMs)
}

import type { BookingLimit, ReachedLimit } from './booking-limits.ts'

/** Formats limits for their owner: `At most 6 appointments a day, 30 appointments a week`. */
export function describeLimits(limits: readonly BookingLimit[]): string {
  if (limits.length === 0) return 'No limits'
  return `At most ${limits.map((limit) => `${inUnits(limit)} a ${limit.period}`).join(', ')}`
}

/** Tells the owner which limit leaves no room for an appointment, and how full it is. Source: rule T53. */
export function describeReachedLimit({ limit, taken, is_of_type: isOfType }: ReachedLimit): string {
  const ofType = isOfType ? ' of this type' : ''
  return `This ${limit.period} has ${taken} of at most ${inUnits(limit)}${ofType}.`
}

function inUnits({ most, unit }: Pick<BookingLimit, 'most' | 'unit'>): string {
  if (unit === 'minutes') return most === 1 ? '1 minute of appointments' : `${most} minutes of appointments`
  return most === 1 ? '1 appointment' : `${most} appointments`
}

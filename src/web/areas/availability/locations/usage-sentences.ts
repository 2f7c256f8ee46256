import type { LocationUsageEntry } from '#contract/availability/locations.ts'

type Removal = {
  /** Number of the calendar's appointment types and future appointments that use the location. */
  readonly use: Pick<LocationUsageEntry, 'appointment_types' | 'future_appointments'>
  readonly isPrimary: boolean
  /** The name of the location that becomes primary instead; null if this was the last one. */
  readonly nextPrimary: string | null
}

/** Explains what happens when a location is removed from a calendar. */
export function describeLocationRemoval({ use, isPrimary, nextPrimary }: Removal): string[] {
  const types = use.appointment_types
  return [
    use.future_appointments === 0
      ? 'This calendar has no future appointments there.'
      : `${countWithNoun(use.future_appointments, 'future appointment')} ${use.future_appointments === 1 ? 'stays' : 'stay'} there as booked.`,
    ...(nextPrimary === null ? [noPlaceSentence(types)] : []),
    ...(types > 0 && nextPrimary !== null
      ? [`${countWithNoun(types, 'appointment type')} will have the primary location instead.`]
      : []),
    ...(isPrimary && nextPrimary !== null ? [`“${nextPrimary}” becomes the primary location.`] : []),
  ]
}

function noPlaceSentence(types: number): string {
  return types === 0
    ? 'The calendar will have no location.'
    : `The calendar and ${countWithNoun(types, 'appointment type')} will have no location.`
}

/** Explains what happens when a location is deleted. */
export function describeLocationDeletion(uses: readonly LocationUsageEntry[]): string[] {
  const losers = uses.filter((use) => use.in_use)
  const others = losers.filter((use) => use.owner_name !== null).length
  const types = sum(uses, (use) => use.appointment_types)
  const appointments = sum(uses, (use) => use.future_appointments)
  const whose = others === 0 ? '' : `, ${others} of them of other owners`
  return [
    losers.length === 0
      ? 'No calendar uses it.'
      : `${countWithNoun(losers.length, 'calendar')} ${losers.length === 1 ? 'loses' : 'lose'} it${whose}.`,
    ...(types === 0
      ? []
      : [
          `${countWithNoun(types, 'appointment type')} will have the primary location of ${types === 1 ? 'its' : 'their'} calendar instead, if it has another one.`,
        ]),
    ...(appointments === 0
      ? []
      : [
          `${countWithNoun(appointments, 'future appointment')} ${appointments === 1 ? 'stays' : 'stay'} as booked, with its name and address.`,
        ]),
  ]
}

/** Formats a number with its noun: `1 calendar`, `2 calendars`. */
export function countWithNoun(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

function sum(uses: readonly LocationUsageEntry[], of: (use: LocationUsageEntry) => number): number {
  return uses.reduce((total, use) => total + of(use), 0)
}

import { Temporal } from 'temporal-polyfill'
import { toCurrentZoneName } from '#contract/shared/zone-names.ts'
import { findExpected } from './rule-cases.ts'
import type { SlotCase, SlotCaseInput } from './slot-case.ts'

const FROM = Temporal.Instant.from('2027-01-01T00:00:00Z')
const UNTIL = Temporal.Instant.from('2029-01-01T00:00:00Z')

/** A time zone and an instant at which its clocks change. */
type ClockChange = { readonly timeZone: string; readonly at: Temporal.Instant }

/** Lists the changes of all clocks in two years, by zone. */
function listClockChanges(): ClockChange[] {
  const zones = new Set(Intl.supportedValuesOf('timeZone').map(toCurrentZoneName))
  return [...zones].sort().flatMap((timeZone) => {
    const changes: ClockChange[] = []
    let next = FROM.toZonedDateTimeISO(timeZone).getTimeZoneTransition('next')
    while (next !== null && Temporal.Instant.compare(next.toInstant(), UNTIL) < 0) {
      changes.push({ timeZone, at: next.toInstant() })
      next = next.getTimeZoneTransition('next')
    }
    return changes
  })
}

/** Makes a case for each change: opening hours from two hours before it until three hours after it, on the clock. */
export function makeClockChangeCases(): SlotCase[] {
  return listClockChanges().map((change) => {
    const input = toInput(change)
    return { name: `${change.timeZone}, ${change.at}`, input, expected: findExpected(input) }
  })
}

function toInput({ timeZone, at }: ClockChange): SlotCaseInput {
  const before = at.subtract({ minutes: 1 }).toZonedDateTimeISO(timeZone)
  const from = before
    .toPlainDateTime()
    .round({ smallestUnit: 'hour', roundingMode: 'ceil' })
    .subtract({ hours: 2 })
  return {
    date: before.toPlainDate().toString(),
    days: 2,
    timezone: timeZone,
    duration_minutes: 30,
    slot_duration_minutes: 30,
    buffer_time_minutes: 0,
    max_appointment_duration_minutes: 120,
    availability: openBetween(from, from.add({ hours: 5 })),
    busy: [],
    location_busy: [],
    now: null,
  }
}

/** Splits a time at midnight, where weekly opening hours end. */
function openBetween(
  from: Temporal.PlainDateTime,
  until: Temporal.PlainDateTime,
): SlotCaseInput['availability'] {
  const first = { day_of_week: from.dayOfWeek % 7, start_time: from.toPlainTime().toString() }
  const last = { day_of_week: until.dayOfWeek % 7, end_time: until.toPlainTime().toString() }
  if (from.toPlainDate().equals(until.toPlainDate())) return [{ ...first, end_time: last.end_time }]
  const parts = [
    { ...first, end_time: '24:00:00' },
    { day_of_week: last.day_of_week, start_time: '00:00:00', end_time: last.end_time },
  ]
  return parts.filter(({ start_time, end_time }) => start_time !== end_time)
}

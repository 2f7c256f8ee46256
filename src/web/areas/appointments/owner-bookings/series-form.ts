import type { CreateSeriesBody, PlannedDate } from '#contract/appointments/series.ts'
import { localTimeOf } from '#core/shared/zoned-time.ts'
import { decideOwnerStartTime, isFinalReason } from '#core/slots/explain-start.ts'
import { SERIES_LIMITS } from '#core/slots/plan-series.ts'
import type { RequestedTime } from '#web/kit/time-check-query.ts'
import { localDateOf } from '#web/shared/format-date.ts'

/** The values of the form about a series. */
export type SeriesFormValues = {
  /** The weeks between the dates; empty for a single appointment. Source: rule B38. */
  repeats: '' | '1' | '2' | '4'
  ends: 'count' | 'until' | 'never'
  count: string
  /** The last possible date. */
  until: string
}

/** The rule of a series in the form, as the query that asks for its dates. Unused fields are empty. */
export type RequestedSeries = Omit<RequestedTime, 'starts_at'> & {
  readonly every_weeks: string
  readonly count: string
  readonly until: string
}

/** The owner’s choice for a date: another time, to book or to leave it out. The default depends on the date. */
export type DateChoice = { readonly startsAt: string } | 'book' | 'leave_out'
export type DateChoices = Readonly<Record<number, DateChoice>>

/** Returns the series to plan; null if the appointment does not repeat, or while the form is incomplete. */
export function toRequestedSeries(
  form: SeriesFormValues,
  asked: RequestedTime | null,
  timeZone: string,
): RequestedSeries | null {
  const { repeats, ends, count, until } = form
  if (repeats === '' || asked === null) return null
  const { fewestDates, mostDates } = SERIES_LIMITS
  if (ends === 'count' && !(Number(count) >= fewestDates && Number(count) <= mostDates)) return null
  if (ends === 'until' && until === '') return null
  const { starts_at: startsAt, ...rule } = asked
  const time =
    startsAt === ''
      ? {}
      : {
          date: localDateOf(startsAt, timeZone),
          time: localTimeOf(Date.parse(startsAt), timeZone).slice(0, 5),
        }
  return {
    ...rule,
    ...time,
    every_weeks: repeats,
    count: ends === 'count' ? count : '',
    until: ends === 'until' ? until : '',
  }
}

/** A date with the owner's choice for it, and the time to book; null if it is left out. */
export type ChosenDate = {
  readonly number: number
  readonly planned: PlannedDate
  readonly startsAt: string | null
  /** True if another appointment or a taken location keeps the time of the rule from being booked. */
  readonly isTaken: boolean
  /** True if the owner is asked before the time of the rule is booked. Source: rule O2. */
  readonly isAskedAbout: boolean
}

/** Applies the owner's choices to the dates. Without a choice, the free dates are booked. */
export function chooseDates(dates: readonly PlannedDate[], choices: DateChoices): ChosenDate[] {
  return dates.map((planned, i) => {
    const number = i + 1
    const isTaken = planned.reasons.some(isFinalReason)
    const isAskedAbout = !isTaken && !decideOwnerStartTime(planned.reasons, false).ok
    const choice = choices[number] ?? (isTaken || isAskedAbout ? 'leave_out' : 'book')
    const own = isTaken ? null : planned.starts_at
    return {
      number,
      planned,
      isTaken,
      isAskedAbout,
      startsAt: choice === 'leave_out' ? null : choice === 'book' ? own : choice.startsAt,
    }
  })
}

/** Returns the dates of the request. */
export function toBookedDates(chosen: readonly ChosenDate[]): CreateSeriesBody['dates'] {
  return chosen.flatMap<CreateSeriesBody['dates'][number]>(({ number, planned, startsAt, isAskedAbout }) => {
    if (startsAt === null) return []
    if (startsAt !== planned.starts_at) return [{ number, starts_at: startsAt }]
    return [{ number, outside_hours: isAskedAbout }]
  })
}

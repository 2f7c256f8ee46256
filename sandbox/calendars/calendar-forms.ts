import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import { addDays, isDate, isTimeZone, localDateOf, localTimeOf, toEpochMs } from '#core/shared/zoned-time.ts'
import { sandboxFaultsSchema } from './account.ts'
import type { SandboxCalendar } from './calendar.ts'
import type { EventChange } from './change-events.ts'
import {
  ATTENDEE_RESPONSES,
  EVENT_TYPES,
  NEW_EVENT_DEFAULTS,
  type SandboxEvent,
  type SandboxEventTime,
} from './event.ts'
import type { CalendarPageTexts } from './world.ts'

/** A form's local date and time, or the date of an all-day event. */
const clockReading = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/)
  .refine((text) => isDate(text.slice(0, 10)))

/** The end of an all-day event is its last day (inclusive). */
const times = z.object({ start: clockReading, end: clockReading, all_day: z.literal('on').optional() })
type Times = z.infer<typeof times>

export const addEventForm = times.extend({
  title: z.string().max(200).default(''),
  shows_as: z.enum(['busy', 'free']).default('busy'),
  kind: z.enum(EVENT_TYPES).default('default'),
  answer: z.enum(['none', ...ATTENDEE_RESPONSES]).default('none'),
  repeats: z.enum(['never', 'daily', 'weekly']).default('never'),
  times: z.coerce.number().int().min(1).max(100).default(1),
  /**
   * The event id that an invitation's organizer chose. Replaces an existing event with the same id, which is the worst case for
   * Meridian.
   */
  id: z.string().max(1_024).default(''),
  /** The value of the property by which Meridian recognizes its own events. */
  own_property: z.string().max(1_024).default(''),
})
export const eventForm = z.discriminatedUnion('action', [
  times.extend({ action: z.literal('move') }),
  z.object({ action: z.enum(['delete', 'delete_series']) }),
])
export const calendarForm = z.discriminatedUnion('action', [
  z.object({ action: z.literal('zone'), time_zone: z.string().refine(isTimeZone) }),
  z.object({ action: z.enum(['empty', 'delete']) }),
])

const box = z
  .literal('on')
  .optional()
  .transform((ticked) => ticked === 'on')
export const faultSwitchForm = z.object({
  revoked: box,
  loses_cursors: box,
  failing: box,
  small_pages: box,
  rate_limit: sandboxFaultsSchema.shape.rateLimit,
  delay_seconds: z.coerce.number().int().min(0).max(60).default(0),
})

const STEP_DAYS = { never: 0, daily: 1, weekly: 7 } as const

/** Returns the form's event, or all occurrences of its series at the same local time. */
export function toNewEvents(
  form: z.infer<typeof addEventForm>,
  { timeZone, ownProperty }: Pick<SandboxCalendar, 'timeZone'> & Pick<CalendarPageTexts, 'ownProperty'>,
): EventChange[] {
  const id = form.id === '' ? randomBytes(13).toString('hex') : form.id
  const count = form.repeats === 'never' ? 1 : form.times
  return Array.from({ length: count }, (_, index) => {
    const days = index * STEP_DAYS[form.repeats]
    const moments = toMoments(form, timeZone, days)
    return {
      ...NEW_EVENT_DEFAULTS,
      ...moments,
      ...(form.repeats === 'never'
        ? { id }
        : {
            id: `${id}_${toIdPart(moments.start)}`,
            series: { id, originalStart: moments.start },
          }),
      summary: form.title,
      privateProperties: form.own_property === '' ? {} : { [ownProperty]: form.own_property },
      isFree: form.shows_as === 'free',
      eventType: form.kind,
      answer: form.answer === 'none' ? null : form.answer,
    }
  })
}

/** Returns the moved event; an all-day event stays all-day. */
export function toMovedEvent(event: SandboxEvent, form: Times, timeZone: string): EventChange {
  return { ...event, ...toMoments(form, timeZone, 0), sequence: event.sequence + 1 }
}

function toMoments(
  { start, end, all_day }: Times,
  timeZone: string,
  days: number,
): { start: SandboxEventTime; end: SandboxEventTime } {
  const [startDate, endDate] = [start, end].map((text) => addDays(text.slice(0, 10), days))
  if (startDate === undefined || endDate === undefined) throw new Error('two dates became fewer')
  if (all_day === 'on') return { start: { date: startDate }, end: { date: addDays(endDate, 1) } }
  const at = (date: string, text: string) => ({
    epochMs: toEpochMs(date, secondsOf(text.slice(11)), timeZone),
    timeZone,
  })
  return { start: at(startDate, start), end: at(endDate, end) }
}

function secondsOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 3_600 + minutes * 60
}

/** Builds the suffix of an occurrence's id. */
function toIdPart(moment: SandboxEventTime): string {
  if ('date' in moment) return moment.date.replaceAll('-', '')
  return new Date(moment.epochMs).toISOString().replace(/[-:]|[.]\d+/g, '')
}

/** Converts an event's times to form values. */
export function toFormTimes({ start, end }: Pick<SandboxEvent, 'start' | 'end'>, timeZone: string): Times {
  if ('date' in start) {
    const lastDate = 'date' in end ? addDays(end.date, -1) : start.date
    return { start: start.date, end: lastDate, all_day: 'on' }
  }
  const endMs = 'date' in end ? start.epochMs : end.epochMs
  return { start: formatLocalClock(start.epochMs, timeZone), end: formatLocalClock(endMs, timeZone) }
}

export function formatLocalClock(epochMs: number, timeZone: string): string {
  return `${localDateOf(epochMs, timeZone)}T${localTimeOf(epochMs, timeZone).slice(0, 5)}`
}

/** Returns the Monday of a date's week. */
export function mondayOf(date: string): string {
  return addDays(date, -((toDayNumber(date) + 3) % 7))
}

import { z } from 'zod'
import { toEpochMs } from '#core/shared/zoned-time.ts'

/** A date for an all-day event; otherwise an instant and the time zone to show it in. */
const sandboxMoment = z.union([
  z.object({ date: z.string() }),
  z.object({ epochMs: z.number(), timeZone: z.string() }),
])
export type SandboxEventTime = z.infer<typeof sandboxMoment>

export const EVENT_TYPES = ['default', 'outOfOffice', 'focusTime', 'workingLocation', 'birthday'] as const
export type EventType = (typeof EVENT_TYPES)[number]
export const ATTENDEE_RESPONSES = ['accepted', 'tentative', 'declined', 'needsAction'] as const

/** An event, or one occurrence of a series. The sandbox stores each occurrence as a separate object. */
export const sandboxEventSchema = z.object({
  id: z.string(),
  /** The number of the calendar's change that last affected this event. */
  change: z.number(),
  isCancelled: z.boolean(),
  summary: z.string(),
  description: z.string(),
  location: z.string(),
  start: sandboxMoment,
  end: sandboxMoment,
  isFree: z.boolean(),
  eventType: z.enum(EVENT_TYPES),
  /** The response to an invitation; null for the account's own event. */
  answer: z.enum(ATTENDEE_RESPONSES).nullable(),
  privateProperties: z.record(z.string(), z.string()),
  source: z.object({ title: z.string(), url: z.string() }).nullable(),
  series: z.object({ id: z.string(), originalStart: sandboxMoment }).nullable(),
  sequence: z.number(),
  createdMs: z.number(),
  updatedMs: z.number(),
})
export type SandboxEvent = z.infer<typeof sandboxEventSchema>

/** Default values of a new event. */
export const NEW_EVENT_DEFAULTS = {
  isCancelled: false,
  summary: '',
  description: '',
  location: '',
  isFree: false,
  eventType: 'default',
  answer: null,
  privateProperties: {},
  source: null,
  series: null,
  sequence: 0,
} as const satisfies Partial<SandboxEvent>

export function epochMsOf(moment: SandboxEventTime, calendarZone: string): number {
  return 'date' in moment ? toEpochMs(moment.date, 0, calendarZone) : moment.epochMs
}

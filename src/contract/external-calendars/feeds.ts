import { z } from 'zod'
import { component } from '#contract/shared/component.ts'
import { line } from '#contract/shared/primitives.ts'

/** The secret URL of a calendar's iCalendar feed; null when there is none. */
export const calendarFeedResponse = component('CalendarFeed', { url: z.string().nullable() })
export type CalendarFeed = z.infer<typeof calendarFeedResponse>
export const feedParams = z.object({ token: line(100) })

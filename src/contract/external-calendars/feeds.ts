import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { singleLineSchema } from '#contract/shared/primitives.ts'

/** The secret URL of a calendar's iCalendar feed; null when there is none. */
export const calendarFeedResponse = componentSchema('CalendarFeed', { url: z.string().nullable() })
export type CalendarFeed = z.infer<typeof calendarFeedResponse>
export const feedParams = z.object({ token: singleLineSchema(100) })

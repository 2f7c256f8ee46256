import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { storableTextSchema } from '#contract/shared/primitives.ts'
import { toHostName } from '#core/addresses/host-name.ts'

/** A host name, possibly with a port. Text that is not a host name is refused like an unknown calendar. */
export const hostParams = z.object({
  hostname: storableTextSchema()
    .max(LIMITS.hostName, 'calendar.not_found')
    .refine((text) => toHostName(text) !== null, 'calendar.not_found'),
})

/** The calendar at a host name. */
export const calendarHostResponse = componentSchema('CalendarHost', {
  calendar_slug: z.string(),
  /** The calendar's current public URL. It differs from the requested host when the calendar has moved. Source: rule J5. */
  public_url: z.string(),
})
export type CalendarHostResponse = z.infer<typeof calendarHostResponse>

import { z } from 'zod'
import { LIMITS } from '#contract/shared/limits.ts'
import { anyText } from '#contract/shared/primitives.ts'
import { toHostName } from '#core/addresses/host-name.ts'

/** A host name in an address, as it may stand in a header. What is none names no calendar. */
export const hostParams = z.object({
  hostname: anyText()
    .max(LIMITS.hostName, 'calendar.not_found')
    .refine((text) => toHostName(text) !== null, 'calendar.not_found'),
})

/** The calendar that a host name leads to. */
export const calendarHostResponse = z.object({
  calendar_slug: z.string(),
  /** Where customers book now, absolute. It is another address where the host is an earlier one. Source: rule J5. */
  public_url: z.string(),
})
export type CalendarHostResponse = z.infer<typeof calendarHostResponse>

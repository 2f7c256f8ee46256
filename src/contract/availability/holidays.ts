import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { dateSchema, singleLineSchema } from '#contract/shared/primitives.ts'
import { HOLIDAY_STATES } from '#core/availability/holidays.ts'

const holidaySchema = z.object({
  date: dateSchema,
  name: z.string(),
  state: z.enum(HOLIDAY_STATES),
  /** The number of future appointments on the date. */
  appointments: z.number().int(),
})
export type HolidayEntry = z.infer<typeof holidaySchema>

/** The public holidays of a calendar's region; none while no region is chosen. Source: rule T56. */
export const holidaysResponse = componentSchema('Holidays', {
  country: z.string().nullable(),
  region: z.string().nullable(),
  /** The region and the country in words. */
  place: z.string().nullable(),
  holidays: z.array(holidaySchema),
})
export type HolidaysResponse = z.infer<typeof holidaysResponse>

/** The region whose public holidays are proposed. Without a country, none are. */
export const holidayRegionBody = componentSchema('HolidayRegion', {
  country: singleLineSchema(LIMITS.holidayRegion).nullable(),
  /** Null for the whole country. */
  region: singleLineSchema(LIMITS.holidayRegion).nullable(),
})
export type HolidayRegion = z.infer<typeof holidayRegionBody>

/**
 * Closes proposed holidays, or keeps them open: then they are not proposed again, until they are undecided again. Source:
 * rules T56 and T57.
 */
export const holidayChoicesBody = componentSchema('HolidayChoices', {
  choice: z.enum(['close', 'keep_open', 'undecided']),
  dates: z.array(dateSchema).min(1).max(LIMITS.holidays),
})
export type HolidayChoicesBody = z.infer<typeof holidayChoicesBody>

/** The countries with known public holidays, and their regions. */
export const holidayCountriesResponse = componentSchema('HolidayCountries', {
  countries: z.array(
    z.object({
      country: z.string(),
      name: z.string(),
      time_zones: z.array(z.string()),
      regions: z.array(z.object({ region: z.string(), name: z.string() })),
    }),
  ),
})
export type HolidayCountry = z.infer<typeof holidayCountriesResponse>['countries'][number]

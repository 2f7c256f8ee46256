import type { HolidayCountry } from '#contract/availability/holidays.ts'

/**
 * Guesses a calendar's country from its time zone. If several countries share the zone, the browser's language decides. Returns
 * null when that leaves a doubt.
 */
export function guessCountry(
  countries: readonly HolidayCountry[],
  timeZone: string,
  language: string,
): string | null {
  const inZone = countries.filter(({ time_zones }) => time_zones.includes(timeZone))
  const guessed =
    inZone.length === 1 ? inZone[0] : inZone.find(({ country }) => language.split('-').includes(country))
  return guessed?.country ?? null
}

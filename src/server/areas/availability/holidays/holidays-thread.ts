import { parentPort, workerData } from 'node:worker_threads'
import Holidays, { type HolidaysTypes } from 'date-holidays'
import type { HolidayCountry } from '#contract/availability/holidays.ts'
import type { Holiday } from '#core/availability/holidays.ts'
import { addDays } from '#core/shared/calendar-date.ts'
import { LANGUAGE } from '#core/shared/locale.ts'
import type { HolidayQuery } from './compute-holidays.ts'

/** A thread that answers one query about public holidays, and then ends. */
const query: HolidayQuery | null = workerData // Only `compute-holidays.ts` starts the thread.
parentPort?.postMessage(query === null ? listCountries() : listHolidays(query))

function listCountries(): HolidayCountry[] {
  const library = new Holidays()
  return Object.entries(library.getCountries(LANGUAGE)).map(([country, name]) => ({
    country,
    name,
    time_zones: new Holidays(country).getTimezones(),
    regions: Object.entries(library.getStates(country, LANGUAGE) ?? {}).flatMap(([state, stateName]) => [
      { region: state, name: stateName },
      ...Object.entries(library.getRegions(country, state, LANGUAGE) ?? {}).map(([region, regionName]) => ({
        region: `${state}-${region}`,
        name: `${stateName} – ${regionName}`,
      })),
    ]),
  }))
}

/** Lists each date of each public holiday. */
function listHolidays({ country, region, years }: HolidayQuery): Holiday[] {
  const [state = '', part = ''] = region?.split('-') ?? []
  const library = new Holidays(country, state, part)
  return years
    .flatMap((year) => library.getHolidays(year, LANGUAGE))
    .filter(({ type }) => type === 'public')
    .flatMap((holiday) => listWholeDays(holiday).map((date) => ({ date, name: holiday.name })))
}

/** Lists the dates that a holiday covers from midnight to midnight. A half-day holiday covers none. */
function listWholeDays({ date, start, end }: HolidaysTypes.Holiday): string[] {
  const startHour = Number(date.slice(11, 13))
  // A day of a clock change has 23 or 25 hours.
  const endHour = startHour + Math.round((end.getTime() - start.getTime()) / 3_600_000) + 1
  const days = Array.from({ length: Math.floor(endHour / 24) }, (_, day) => day)
  return days.slice(startHour > 0 ? 1 : 0).map((day) => addDays(date.slice(0, 10), day))
}

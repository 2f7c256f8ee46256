import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type {
  HolidayChoicesBody,
  HolidayCountry,
  HolidayRegion,
  HolidaysResponse,
  holidayCountriesResponse,
} from '#contract/availability/holidays.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { proposeHolidays } from '#core/availability/holidays.ts'
import { truncateText } from '#core/shared/text.ts'
import { localDateOf, toWholeDaysInterval } from '#core/shared/zoned-time.ts'
import { changeHours } from '#server/areas/availability/opening-hours/use-cases.ts'
import {
  countFutureAppointments,
  insertSpecialDays,
  listSpecialDays,
} from '#server/areas/availability/special-days/repository.ts'
import type { SpecialDaysDeps } from '#server/areas/availability/special-days/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { computeHolidays, listCountries } from './compute-holidays.ts'
import { findHolidayRegion, forgetKeptOpen, keepOpen, listKeptOpen, setHolidayRegion } from './repository.ts'

/** Lists the countries with known public holidays, and their regions. */
export async function getHolidayCountries(): Promise<z.output<typeof holidayCountriesResponse>> {
  return { countries: [...(await listCountries())] }
}

/**
 * Lists the public holidays of a calendar's region. Source: rule T56.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function getHolidays(
  { db, now }: SpecialDaysDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<HolidaysResponse> {
  const { timezone } = await getOwnCalendar({ db }, ownerId, calendarId)
  const stored = await findHolidayRegion(db, calendarId)
  if (stored === null) return { country: null, region: null, place: null, holidays: [] }
  const today = localDateOf(now(), timezone)
  const holidays = proposeHolidays(await listFound(stored, today), {
    keptOpen: await listKeptOpen(db, calendarId, today),
    specialDays: await listSpecialDays(db, calendarId, today),
    today,
  })
  const days = holidays.map(({ date }) => toWholeDaysInterval(date, date, timezone))
  const counts = await countFutureAppointments(db, calendarId, days, new Date(now()))
  return {
    ...stored,
    place: findPlace(await listCountries(), stored),
    holidays: holidays.map((holiday, i) => ({ ...holiday, appointments: counts[i] ?? 0 })),
  }
}

/**
 * Sets the region whose public holidays are proposed. Closes nothing. Source: rule T56.
 * @throws ProblemError `calendar.*`, `request.invalid` for a country or region that is not in the list
 */
export async function changeHolidayRegion(
  deps: SpecialDaysDeps,
  ownerId: OwnerId,
  calendarId: string,
  region: HolidayRegion,
): Promise<HolidaysResponse> {
  await getOwnCalendar(deps, ownerId, calendarId)
  if (region.country !== null && findPlace(await listCountries(), region) === null) {
    throw new ProblemError('request.invalid', [
      { path: 'country', message: 'Please choose a country and region from the list.' },
    ])
  }
  await changeHours(deps, ownerId, calendarId, (trx) => setHolidayRegion(trx, calendarId, region))
  return getHolidays(deps, ownerId, calendarId)
}

/**
 * Closes proposed holidays, keeps them open, or proposes again those that were kept open. A date that has special days
 * already keeps them. Source: rules T56 and T57.
 * @throws ProblemError `calendar.*`, `request.changed_meanwhile` when a date is no holiday of the region,
 * `special_days.too_many`
 */
export async function chooseHolidays(
  deps: SpecialDaysDeps,
  ownerId: OwnerId,
  calendarId: string,
  { choice, dates }: HolidayChoicesBody,
): Promise<HolidaysResponse> {
  const { timezone } = await getOwnCalendar(deps, ownerId, calendarId)
  const today = localDateOf(deps.now(), timezone)
  const region = await findHolidayRegion(deps.db, calendarId)
  const found = region === null ? [] : await listFound(region, today)
  await changeHours(deps, ownerId, calendarId, async (trx) => {
    const specialDays = await listSpecialDays(trx, calendarId, today)
    const holidays = proposeHolidays(found, { keptOpen: [], specialDays, today })
    if (dates.some((chosen) => !holidays.some(({ date }) => date === chosen))) {
      throw new ProblemError('request.changed_meanwhile')
    }
    const chosen = holidays.filter(({ date, state }) => state === 'proposed' && dates.includes(date))
    if (choice === 'keep_open') {
      await keepOpen(trx, calendarId, { dates: chosen.map(({ date }) => date), today })
      return
    }
    await forgetKeptOpen(trx, calendarId, dates)
    if (choice === 'undecided') return
    if (specialDays.length + chosen.length > LIMITS.specialDays) {
      throw new ProblemError('special_days.too_many')
    }
    for (const { date, name } of chosen) {
      await insertSpecialDays(trx, calendarId, {
        id: randomUUID(),
        first: date,
        last: date,
        hours: [],
        note: truncateText(name, LIMITS.specialDaysNote),
        public_note: null,
        source: 'holiday',
      })
    }
  })
  return getHolidays(deps, ownerId, calendarId)
}

/** Lists the holidays of a region from the year of `today` to the year of the last day that can be booked. */
function listFound(region: { readonly country: string; readonly region: string | null }, today: string) {
  const year = Number(today.slice(0, 4))
  return computeHolidays({ ...region, years: [year, year + 1, year + 2] })
}

/** Returns a region and its country in words; null when the list does not have them. */
function findPlace(countries: readonly HolidayCountry[], { country, region }: HolidayRegion): string | null {
  const found = countries.find((each) => each.country === country)
  if (found === undefined) return null
  if (region === null) return found.name
  const part = found.regions.find((each) => each.region === region)
  return part === undefined ? null : `${part.name}, ${found.name}`
}

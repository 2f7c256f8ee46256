import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import {
  holidayChoicesBody,
  holidayCountriesResponse,
  holidayRegionBody,
  holidaysResponse,
} from './holidays.ts'

/** Operations on public holidays, which are proposed as closed days. */
export const holidayOperations = defineOperations({
  listHolidays: {
    address: at.listHolidays,
    summary: 'Public holidays of the next two years',
    tag: 'Availability',
    forOwners: true,
    params: calendarParams,
    answers: { 200: holidaysResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  chooseHolidays: {
    address: at.chooseHolidays,
    summary: 'Close public holidays, keep them open, or have them proposed again',
    tag: 'Availability',
    forOwners: true,
    params: calendarParams,
    body: holidayChoicesBody,
    answers: { 200: holidaysResponse },
    problems: [
      'request.changed_meanwhile',
      'calendar.not_found',
      'calendar.forbidden',
      'special_days.overlap',
      'special_days.too_many',
    ],
  },
  changeHolidayRegion: {
    address: at.changeHolidayRegion,
    summary: 'Choose the region whose public holidays are proposed',
    tag: 'Availability',
    forOwners: true,
    params: calendarParams,
    body: holidayRegionBody,
    answers: { 200: holidaysResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  listHolidayCountries: {
    address: at.listHolidayCountries,
    summary: 'Countries and regions with known public holidays',
    tag: 'Availability',
    forOwners: true,
    answers: { 200: holidayCountriesResponse },
    problems: [],
  },
})

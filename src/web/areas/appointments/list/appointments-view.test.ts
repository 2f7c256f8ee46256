import { expect, test } from 'vitest'
import {
  DEFAULT_APPOINTMENTS_VIEW,
  readAppointmentsView,
  toAppointmentsViewParams,
} from './appointments-view.ts'

test('what is chosen is written into an address and read from it again', () => {
  const choice = {
    view: 'week',
    filter: 'past',
    search: 'ada',
    page: 7,
    date: '2026-12-01',
    appointment: '00000000-0000-4000-8000-000000000501',
  } as const
  expect(readAppointmentsView(toAppointmentsViewParams(choice))).toEqual(choice)
})

test('an address without parameters is the first choice, and the first choice needs none', () => {
  expect(readAppointmentsView({})).toEqual(DEFAULT_APPOINTMENTS_VIEW)
  expect(
    Object.values(toAppointmentsViewParams(DEFAULT_APPOINTMENTS_VIEW)).filter((value) => value !== undefined),
  ).toEqual([])
})

test('what makes no sense in an address is as if it were not there', () => {
  expect(
    readAppointmentsView({
      view: 'year',
      filter: 'soon',
      search: 7,
      page: '-1',
      date: '2026-02-30',
      appointment: '7',
    }),
  ).toEqual(DEFAULT_APPOINTMENTS_VIEW)
  expect(readAppointmentsView({ search: ` ${'a'.repeat(200)} `, page: '1e3' })).toMatchObject({
    search: 'a'.repeat(100),
    page: 1,
  })
})

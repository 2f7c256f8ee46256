import { expect, test } from 'vitest'
import type { ChangedRow } from '#contract/calendars/setting-changes.ts'
import { describeSettingChange } from './setting-words.ts'

const WORDING = { names: { t1: 'Yoga', l1: 'Harley Street' }, hourCycle: 'h12' } as const

function row(
  what: string,
  before: ChangedRow['before'],
  after: ChangedRow['after'],
  name: string | null = null,
) {
  return { what, name, before, after }
}

function inWords(...rows: ChangedRow[]): string[] {
  return describeSettingChange(rows, WORDING).map(
    ({ label, before, after }) => `${label}: ${before ?? '+'} → ${after ?? '-'}`,
  )
}

const hours = (day_of_week: number, start_time: string, end_time: string) => ({
  id: `${day_of_week} ${start_time} ${end_time}`,
  day_of_week,
  start_time,
  end_time,
})

test('columns have the labels of the screens, units and names', () => {
  expect(
    inWords(
      row(
        'calendars',
        { buffer_time_minutes: 0, takes_bookings: true },
        { buffer_time_minutes: 15, takes_bookings: false },
      ),
      row(
        'appointment_types',
        { name: 'Yoga', price_cents: 4_000, location_id: null },
        { name: 'Yoga', price_cents: 5_000, location_id: 'l1' },
        'Yoga',
      ),
    ),
  ).toEqual([
    'Buffer time: 0 minutes → 15 minutes',
    'Take bookings: on → off',
    'Price of Yoga: €40.00 → €50.00',
    'Location of Yoga: none → Harley Street',
  ])
})

test('a series rule is said in a sentence', () => {
  const series_rule = { every_weeks: [1], most_dates: 6 }
  expect(inWords(row('appointment_types', { series_rule: null }, { series_rule }, 'Yoga'))).toEqual([
    'Repeats of Yoga: none → Customers can repeat an appointment every week, up to 6 dates at once.',
  ])
})

test('a day whose hours were replaced shows all of them on both sides, and a day that stays shows nothing', () => {
  expect(
    inWords(
      row('availability', hours(1, '09:00:00', '17:00:00'), null),
      row('availability', hours(2, '09:00:00', '17:00:00'), null),
      row('availability', null, hours(1, '09:00:00', '12:00:00')),
      row('availability', null, hours(1, '13:00:00', '24:00:00')),
      row('availability', null, { ...hours(2, '09:00:00', '17:00:00'), id: 'other' }),
    ),
  ).toEqual(['Opening hours on Monday: 9:00 AM – 5:00 PM → 9:00 AM – 12:00 PM, 1:00 PM – midnight'])
})

test('what is added or removed has one side', () => {
  expect(
    inWords(
      row('appointment_types', null, { name: 'Yoga' }, 'Yoga'),
      row(
        'special_days',
        { first_date: '2027-02-01', last_date: '2027-02-02', note: 'Away', public_note: null },
        null,
      ),
      row('booking_limits', null, {
        appointment_type_id: 't1',
        period: 'day',
        unit: 'appointments',
        most: 4,
      }),
      row('calendar_locations', null, { location_id: 'gone', is_primary: true }),
    ),
  ).toEqual([
    'Appointment type: + → Yoga',
    'Special days: Feb 1, 2027 – Feb 2, 2027 (Away) → -',
    'Limits of Yoga: + → At most 4 appointments a day',
    'Locations: + → one that no longer exists (primary)',
  ])
})

test('of a column with several settings only those that changed are shown, and long texts are cut', () => {
  expect(
    inWords(
      row(
        'calendars',
        { reminder_settings: { hours: 24, subject: 'Soon' }, branding_settings: { custom_css: 'a' } },
        {
          reminder_settings: { hours: 48, subject: 'Soon' },
          branding_settings: { custom_css: 'b'.repeat(300) },
        },
      ),
    ),
  ).toEqual([
    'Reminders: Hours before the appointment: 24 → 48',
    `Branding: Custom CSS: a → ${'b'.repeat(160)}…`,
  ])
})

test('a column that no screen knows is named by its own words, and a new row lists only what it turns on', () => {
  expect(
    inWords(
      row('calendars', { new_rule: 1 }, { new_rule: 2 }),
      row('payment_settings', null, {
        paypal_mode: 'sandbox',
        stripe_connected: true,
        paypal_connected: false,
        payment_provider: null,
      }),
    ),
  ).toEqual(['New rule: 1 → 2', 'PayPal mode: default → sandbox', 'Stripe connected: default → on'])
})

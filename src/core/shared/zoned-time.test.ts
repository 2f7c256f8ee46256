import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import {
  isTimeZone,
  localDateOf,
  localTimeOf,
  toEpochMs,
  toRfc3339,
  toWholeDaysInterval,
  utcOffsetMsAt,
} from './zoned-time.ts'

const ZONES = Intl.supportedValuesOf('timeZone')

/** `ZONE_RUNS=20000` runs more cases than a normal test run has time for. */
const RUNS = Number(process.env.ZONE_RUNS ?? 150)

describe('toEpochMs', () => {
  test.each([
    ['a plain time', '2027-01-04', '09:00', 'Asia/Kolkata', '2027-01-04T03:30:00Z'],
    ['the first of two', '2027-11-07', '01:30', 'America/New_York', '2027-11-07T05:30:00Z'],
    [
      'a time in a gap, with the offset before it',
      '2027-03-14',
      '02:30',
      'America/New_York',
      '2027-03-14T07:30:00Z',
    ],
    ['24:00 as the next 00:00', '2027-01-04', '24:00', 'Europe/Malta', '2027-01-04T23:00:00Z'],
    [
      '24:00 when that midnight does not exist',
      '2027-04-29',
      '24:00',
      'Africa/Cairo',
      '2027-04-29T22:00:00Z',
    ],
    ['half an hour of change', '2027-10-03', '02:15', 'Australia/Lord_Howe', '2027-10-02T15:45:00Z'],
    ['a date that was skipped', '2011-12-30', '12:00', 'Pacific/Apia', '2011-12-30T22:00:00Z'],
    ['an offset with seconds', '1971-06-01', '00:00', 'Africa/Monrovia', '1971-06-01T00:44:30Z'],
    ['clock readings, not elapsed time', '2027-03-14', '12:00', 'America/New_York', '2027-03-14T16:00:00Z'],
  ])('%s', (_, date, time, timeZone, expected) => {
    expect(new Date(toEpochMs(date, secondsOf(time), timeZone)).toISOString()).toBe(
      expected.replace('Z', '.000Z'),
    )
  })

  test('agrees with Temporal in every zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        anyInstantMs(),
        fc.integer({ min: 0, max: 86_400 }),
        (zone, near, seconds) => {
          const date = Temporal.Instant.fromEpochMilliseconds(near).toZonedDateTimeISO('UTC').toPlainDate()
          const local = date.toPlainDateTime('00:00').add({ seconds })
          expect(toEpochMs(date.toString(), seconds, zone)).toBe(
            local.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds,
          )
        },
      ),
      { numRuns: RUNS },
    )
  })

  test('agrees with Temporal around every kind of clock change', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        anyInstantMs(),
        fc.integer({ min: -1_500, max: 1_500 }),
        (zone, near, minutes) => {
          const at = Temporal.Instant.fromEpochMilliseconds(near).toZonedDateTimeISO(zone)
          const change = at.getTimeZoneTransition('next') ?? at
          const local = change.toPlainDateTime().add({ minutes })
          const seconds = local.toPlainTime().since('00:00').total('seconds')
          expect(toEpochMs(local.toPlainDate().toString(), seconds, zone)).toBe(
            local.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds,
          )
        },
      ),
      { numRuns: RUNS },
    )
  })

  test.each([
    ['tomorrow', 'UTC'],
    ['9999-01-01', 'UTC'],
    ['2027-01-04', 'Europe/Atlantis'],
  ])('refuses %s in %s', (date, timeZone) => {
    expect(() => toEpochMs(date, 0, timeZone)).toThrow(RangeError)
  })
})

test('offset, date and time at an instant agree with Temporal in every zone', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), anyInstantMs(), (zone, epochMs) => {
      const local = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone)
      expect(utcOffsetMsAt(zone, epochMs)).toBe(local.offsetNanoseconds / 1_000_000)
      expect(localDateOf(epochMs, zone)).toBe(local.toPlainDate().toString())
      expect(localTimeOf(epochMs, zone)).toBe(local.toPlainTime().toString({ smallestUnit: 'second' }))
    }),
    { numRuns: RUNS },
  )
})

test('an instant outside the tables is looked up individually', () => {
  expect(utcOffsetMsAt('Asia/Tokyo', Date.UTC(2500, 0, 1))).toBe(9 * 3_600_000)
  expect(localDateOf(Date.UTC(2500, 0, 1, 20), 'Asia/Tokyo')).toBe('2500-01-02')
  expect(() => utcOffsetMsAt('Asia/Tokyo', Number.NaN)).toThrow(RangeError)
})

describe('isTimeZone', () => {
  test.each([
    'UTC',
    'Europe/London',
    'europe/london',
    'Asia/Calcutta',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+5',
    'EST5EDT',
    'GB',
  ])('knows %s', (name) => {
    expect(isTimeZone(name)).toBe(true)
  })

  test.each([
    '',
    'Mars/Olympus',
    '+05:30',
    '05:30',
    'Z',
    'BST',
    'bst',
    'PST',
    'SystemV/PST8PDT',
    'Europe/London ',
    'Etc/Unknown',
  ])('does not take %j', (name) => {
    expect(isTimeZone(name)).toBe(false)
  })

  test('knows every zone the runtime lists', () => {
    expect(ZONES.filter((zone) => !isTimeZone(zone))).toEqual([])
  })
})

function anyInstantMs(): fc.Arbitrary<number> {
  const lived = fc.integer({ min: Date.UTC(1970, 0, 3), max: Date.UTC(2040, 0, 1) })
  const far = fc.integer({ min: Date.UTC(2040, 0, 1), max: Date.UTC(2200, 11, 30) })
  return fc.oneof({ weight: 9, arbitrary: lived }, { weight: 1, arbitrary: far })
}

function secondsOf(time: string): number {
  return Number(time.slice(0, 2)) * 3_600 + Number(time.slice(3)) * 60
}

test('an instant is formatted like Date, without milliseconds when they are zero', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2200-12-31') }), (date) => {
      expect(toRfc3339(date.getTime())).toBe(date.toISOString().replace('.000Z', 'Z'))
      const whole = Math.floor(date.getTime() / 1_000) * 1_000
      expect(toRfc3339(whole)).toBe(new Date(whole).toISOString().replace('.000Z', 'Z'))
    }),
  )
})

test('whole days end at the midnight after the last day, also across a clock change', () => {
  expect(toWholeDaysInterval('2027-03-28', '2027-03-28', 'Europe/Berlin')).toEqual({
    startMs: Date.parse('2027-03-27T23:00:00Z'),
    endMs: Date.parse('2027-03-28T22:00:00Z'),
  })
  expect(toWholeDaysInterval('2027-12-31', '2028-01-01', 'UTC')).toEqual({
    startMs: Date.parse('2027-12-31T00:00:00Z'),
    endMs: Date.parse('2028-01-02T00:00:00Z'),
  })
})

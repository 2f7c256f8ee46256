import { expect, test } from 'vitest'
import { interpretLocalTime } from './interpret-local-time.ts'

test.each([
  ['an ordinary time', '2027-01-05', '09:00', 'Europe/London', '2027-01-05T09:00:00Z', 'once'],
  ['a time in summer', '2027-07-05', '09:00', 'Europe/London', '2027-07-05T08:00:00Z', 'once'],
  ['a time that the spring skips', '2027-03-28', '01:30', 'Europe/London', '2027-03-28T01:30:00Z', 'skipped'],
  ['the moment after the gap', '2027-03-28', '02:00', 'Europe/London', '2027-03-28T01:00:00Z', 'once'],
  ['a time that comes twice', '2027-10-31', '01:30', 'Europe/London', '2027-10-31T00:30:00Z', 'repeated'],
  ['the moment before it', '2027-10-31', '00:59', 'Europe/London', '2027-10-30T23:59:00Z', 'once'],
  ['the moment after it', '2027-10-31', '02:00', 'Europe/London', '2027-10-31T02:00:00Z', 'once'],
  ['half an hour twice', '2027-04-04', '01:45', 'Australia/Lord_Howe', '2027-04-03T14:45:00Z', 'repeated'],
  ['a day that a zone skipped', '2011-12-30', '12:00', 'Pacific/Apia', '2011-12-30T22:00:00Z', 'skipped'],
])('%s: %s %s in %s', (_case, date, time, timeZone, instant, reading) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  expect(interpretLocalTime(date, (hours * 60 + minutes) * 60, timeZone)).toEqual({
    startsAtMs: Date.parse(instant),
    reading,
  })
})

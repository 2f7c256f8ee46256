import { expect, test } from 'vitest'
import { COMMON_TIME_ZONES } from '#contract/shared/limits.ts'
import { findNationalDigits, findPhoneRegion, listDialableNumbers } from './parse-phone.ts'

const [LONDON, VIENNA, BERLIN, NEW_YORK] = [
  'Europe/London',
  'Europe/Vienna',
  'Europe/Berlin',
  'America/New_York',
]

test.each([
  ['+44 (0)20 7946 0958', VIENNA, '+442079460958'],
  ['+44 [0] 20 7946 0958', VIENNA, '+442079460958'],
  ['+44 0 20 7946 0958', VIENNA, '+442079460958'],
  ['0044 20 7946 0958', VIENNA, '+442079460958'],
  ['011 44 20 7946 0958', NEW_YORK, '+442079460958'],
  ['020 7946 0958', LONDON, '+442079460958'],
  ['(020) 7946-0958', LONDON, '+442079460958'],
  ['07700 900123', LONDON, '+447700900123'],
  ['0660 123 456', VIENNA, '+43660123456'],
  ['0171/1234567', BERLIN, '+491711234567'],
  ['(212) 555-0100', NEW_YORK, '+12125550100'],
  ['8 (912) 345-67-89', 'Europe/Moscow', '+79123456789'],
  ['06 1234 5678', 'Europe/Rome', '+390612345678'],
  ['080 4718 1234', 'Asia/Kolkata', '+918047181234'],
  ['＋４４ ２０ ７９４６ ０９５８', VIENNA, '+442079460958'],
  ['٠٦٦٠ ١٢٣٤٥٦', VIENNA, '+43660123456'],
])('%j in %s dials %s', (phone, timeZone, dials) => {
  expect(listDialableNumbers(phone, timeZone)).toEqual([{ typed: phone, dials }])
})

test.each(['ext. 12', 'x12', '#12', 'extension 12'])(
  'an extension (%s) is not dialled as digits',
  (extension) => {
    const phone = `020 7946 0958 ${extension}`
    expect(listDialableNumbers(phone, LONDON)).toEqual([{ typed: phone, dials: '+442079460958;ext=12' }])
  },
)

test.each([
  '0660 123456 / 0670 456789',
  '0660 123456/0670 456789',
  '0660 123456, 0670 456789',
  '0660 123456; 0670 456789',
  '0660 123456 or 0670 456789',
  '0660 123456 0670 456789',
  'Work: 0660 123456 (home 0670 456789)',
])('%j is two numbers', (phone) => {
  expect(listDialableNumbers(phone, VIENNA)).toEqual([
    { typed: '0660 123456', dials: '+43660123456' },
    { typed: '0670 456789', dials: '+43670456789' },
  ])
})

test.each([
  ['no number', VIENNA],
  ['112', VIENNA],
  ['call me', VIENNA],
  ['06601234560670456789', VIENNA],
  ['+999 12345678', VIENNA],
  // For this time zone, the country is unknown.
  ['020 7946 0958', 'UTC'],
  ['020 7946 0958', null],
  ['', VIENNA],
  [null, VIENNA],
])('%j in %s dials nothing', (phone, timeZone) => {
  expect(listDialableNumbers(phone, timeZone)).toEqual([])
})

test('an international number needs no time zone', () => {
  expect(listDialableNumbers('+43 660 123456', null)).toEqual([
    { typed: '+43 660 123456', dials: '+43660123456' },
  ])
})

test('every zone of the list has a country, but those in which nobody lives', () => {
  const without = COMMON_TIME_ZONES.filter((zone) => findPhoneRegion(zone) === undefined)
  expect(without.filter((zone) => !/^(UTC|Etc\/.+|Antarctica\/.+)$/.test(zone))).toEqual([])
})

test.each([
  ['+43 660 123', VIENNA, '660123'],
  ['0043 660 123', VIENNA, '660123'],
  ['+44 (0)20 7946', VIENNA, '207946'],
  ['020 7946', LONDON, '207946'],
  ['8 912 345 67 89', 'Europe/Moscow', '9123456789'],
  ['1 212 555 0100', NEW_YORK, '2125550100'],
  ['Ada', LONDON, null],
])('%j in %s has the digits %s in every form', (typed, timeZone, digits) => {
  expect(findNationalDigits(typed, timeZone)).toBe(digits)
})

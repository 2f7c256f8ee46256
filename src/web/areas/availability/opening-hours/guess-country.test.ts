import { expect, test } from 'vitest'
import { guessCountry } from './guess-country.ts'

const COUNTRIES = [
  { country: 'CH', name: 'Switzerland', time_zones: ['Europe/Zurich'], regions: [] },
  { country: 'DE', name: 'Germany', time_zones: ['Europe/Berlin'], regions: [] },
  { country: 'LI', name: 'Liechtenstein', time_zones: ['Europe/Zurich'], regions: [] },
]

test.each([
  ['Europe/Berlin', 'en-US', 'DE'],
  ['Europe/Zurich', 'de-LI', 'LI'],
  ['Europe/Zurich', 'de-DE', null],
  ['Europe/Zurich', 'de', null],
  ['UTC', 'de-DE', null],
])('the country of a calendar in %s is guessed with the language %s', (zone, language, expected) => {
  expect(guessCountry(COUNTRIES, zone, language)).toBe(expected)
})

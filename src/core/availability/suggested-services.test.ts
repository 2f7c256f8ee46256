import { expect, test } from 'vitest'
import { CATEGORIES, LIMITS } from '#contract/shared/limits.ts'
import { suggestServices } from './suggested-services.ts'

test('a psychotherapist gets a first consultation, a session and a couple session', () => {
  const services = suggestServices('Psychotherapist')
  expect(services.map(({ name, durationMinutes }) => [name, durationMinutes])).toEqual([
    ['First consultation', 50],
    ['Session', 50],
    ['Couple session', 90],
  ])
  expect(suggestServices('Therapist')).toEqual(services)
})

test.each([
  ['Physiotherapist', 'Treatment'],
  ['Dentist', 'Check-up'],
  ['Music tutor', 'Lesson'],
  ['Falconer', 'Appointment'],
  ['constructor', 'Appointment'],
  ['', 'Appointment'],
  [null, 'Appointment'],
])('%j is suggested %s', (profession, name) => {
  expect(suggestServices(profession).map((service) => service.name)).toContain(name)
})

test.each(CATEGORIES)('%s has its own suggestions, which can be created as they are', (category) => {
  const services = suggestServices(category)
  expect(services).not.toEqual(suggestServices(null))
  for (const { name, durationMinutes } of services) {
    expect(name.length).toBeLessThanOrEqual(LIMITS.typeName)
    expect(durationMinutes).toBeGreaterThanOrEqual(LIMITS.typeDurationMin)
    // Without a change of the settings, longer appointments cannot be booked.
    expect(durationMinutes).toBeLessThanOrEqual(120)
  }
  expect(new Set(services.map(({ name }) => name)).size).toBe(services.length)
})

import { describe, expect, test } from 'vitest'
import { LIMITS } from '#contract/shared/limits.ts'
import { MAX_SLUG_LENGTH } from '#core/addresses/slug.ts'
import { calendarFormSchema, emptyCalendarForm } from './use-create-calendar.ts'

test('the contract and the slug rules agree on the longest link', () => {
  expect(LIMITS.slug).toBe(MAX_SLUG_LENGTH)
})

test('a new calendar starts with the defaults of rule C1, and takes the time and clock of the owner', () => {
  expect(emptyCalendarForm('Europe/Paris', 'h23')).toEqual({
    name: '',
    slug: '',
    description: '',
    category: '',
    color: '#3498db',
    timezone: 'Europe/Paris',
    hour_cycle: 'h23',
    appointment_title_required: true,
    default_appointment_title: 'Appointment with {{calendar_name}}',
    payment_required: false,
    whose: 'mine',
    person_name: '',
  })
})

test.each([
  ['mine', '', undefined],
  ['other', ' ', 'person.name_required'],
  ['other', 'Jon Osei', undefined],
] as const)('whose time it is (%s) with the name %j gives the remark %s', (whose, person_name, code) => {
  const result = calendarFormSchema.safeParse({
    ...emptyCalendarForm('UTC', 'h12'),
    name: 'Grey',
    whose,
    person_name,
  })
  expect(result.error?.issues[0]?.message).toBe(code)
})

describe('the booking link', () => {
  test.each([
    ['', undefined],
    ['dr-grey', undefined],
    ['Dr-Grey', undefined],
    ['dr--grey', 'calendar.slug_invalid'],
    ['grey-', 'calendar.slug_invalid'],
    ['größe', 'calendar.slug_invalid'],
    ['login', 'calendar.slug_reserved'],
  ])('%j gives the remark %s', (slug, code) => {
    const result = calendarFormSchema.safeParse({ ...emptyCalendarForm('UTC', 'h12'), name: 'Grey', slug })
    expect(result.error?.issues[0]?.message).toBe(code)
  })
})

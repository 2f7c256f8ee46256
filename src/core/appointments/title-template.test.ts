import { describe, expect, test } from 'vitest'
import { chooseBookingTitle, renderTitle } from './title-template.ts'

const NAMES = {
  calendar_name: 'Harbour Practice',
  professional_first_name: 'Maya',
  professional_last_name: 'Grey',
}
const NAMELESS = {
  calendar_name: 'Harbour Practice',
  professional_first_name: null,
  professional_last_name: null,
}

describe('renderTitle', () => {
  test('fills in every placeholder', () => {
    const template =
      '{{calendar_name}}: {{professional_first_name}} / {{professional_last_name}} / {{professional_full_name}}'
    expect(renderTitle(template, NAMES)).toBe('Harbour Practice: Maya / Grey / Maya Grey')
  })

  test('fills in every occurrence of a placeholder, with or without spaces in the braces', () => {
    expect(renderTitle('{{calendar_name}} + {{ calendar_name }}', NAMES)).toBe(
      'Harbour Practice + Harbour Practice',
    )
  })

  test('a professional without a name has the name of the calendar', () => {
    expect(renderTitle('Session with {{professional_full_name}}', NAMELESS)).toBe(
      'Session with Harbour Practice',
    )
    expect(renderTitle('{{professional_full_name}}', { ...NAMES, professional_last_name: null })).toBe('Maya')
    expect(
      renderTitle('{{professional_full_name}}', {
        ...NAMES,
        professional_first_name: ' ',
        professional_last_name: '',
      }),
    ).toBe('Harbour Practice')
  })

  test('an absent name leaves no double space behind', () => {
    expect(renderTitle('Meet {{professional_first_name}} at {{calendar_name}}', NAMELESS)).toBe(
      'Meet at Harbour Practice',
    )
  })

  test.each([null, '', '   ', '{{professional_first_name}}'])(
    'with nothing to show in %j it is the appointment with the calendar',
    (template) => {
      expect(renderTitle(template, NAMELESS)).toBe('Appointment with Harbour Practice')
    },
  )

  test('an unknown placeholder stays as typed', () => {
    expect(renderTitle('{{customer_name}} at {{calendar_name}}', NAMES)).toBe(
      '{{customer_name}} at Harbour Practice',
    )
  })

  test('a name that looks like a placeholder or a replacement pattern stays plain text', () => {
    const names = { ...NAMES, calendar_name: '{{professional_first_name}} $& $1' }
    expect(renderTitle('At {{calendar_name}}', names)).toBe('At {{professional_first_name}} $& $1')
  })
})

describe('chooseTitle', () => {
  test("is the customer's text, else the name of the type, else Appointment", () => {
    expect(chooseBookingTitle('  My knee ', 'Consultation')).toBe('My knee')
    expect(chooseBookingTitle('   ', 'Consultation')).toBe('Consultation')
    expect(chooseBookingTitle(null, undefined)).toBe('Appointment')
    expect(chooseBookingTitle(undefined, ' ')).toBe('Appointment')
  })
})

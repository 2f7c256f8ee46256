import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { listUnknownPlaceholders, REMINDER_PLACEHOLDERS, renderReminder } from './reminder-template.ts'

const VALUES = {
  customer_name: 'Ada Lovelace',
  date: 'Tuesday, December 1',
  time: '9:30 AM (GMT)',
  calendar_name: 'Harbour Practice',
}

describe('renderReminder', () => {
  test('fills in every placeholder', () => {
    expect(renderReminder('{customer_name} | {date} | {time} | {calendar_name}', VALUES)).toBe(
      'Ada Lovelace | Tuesday, December 1 | 9:30 AM (GMT) | Harbour Practice',
    )
  })

  test('fills in every occurrence of a placeholder, also with spaces in the braces and on several lines', () => {
    expect(renderReminder('{date}\n{ date }, {date}', VALUES)).toBe(
      'Tuesday, December 1\nTuesday, December 1, Tuesday, December 1',
    )
  })

  test.each([
    '{name}',
    '{Date}',
    '{customer name}',
    '{{date}}',
    '{{date}',
    '{}',
    '{ }',
    'a { b',
    'c } d',
    '{da\nte}',
  ])('%j is no placeholder and stays as it was written', (template) => {
    expect(renderReminder(template, VALUES)).toBe(template)
  })

  test('a name that looks like a placeholder or a replacement pattern stays plain text', () => {
    const values = { ...VALUES, customer_name: '{calendar_name} $& $1', calendar_name: '{date}' }
    expect(renderReminder('{customer_name} at {calendar_name}', values)).toBe(
      '{calendar_name} $& $1 at {date}',
    )
  })

  test('nothing outside the placeholders is ever changed', () => {
    const anyText = fc.string().map((text) => text.replaceAll(/[{}]/g, ''))
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 2, maxLength: 5 }), (texts) => {
        expect(renderReminder(texts.join('{date}'), VALUES)).toBe(texts.join(VALUES.date))
      }),
    )
  })
})

describe('listUnknownPlaceholders', () => {
  test('lists each unknown placeholder once', () => {
    const template = 'Hi {name}, {date} {{time}} {customer name} {name} { calendar_name }'
    expect(listUnknownPlaceholders(template)).toEqual(['{name}', '{{time}}', '{customer name}'])
  })

  test('lists nothing for a text with known placeholders or without any', () => {
    const all = REMINDER_PLACEHOLDERS.map((placeholder) => `{${placeholder}}`).join(' ')
    expect(listUnknownPlaceholders(all)).toEqual([])
    expect(listUnknownPlaceholders('See you soon :-{')).toEqual([])
  })
})

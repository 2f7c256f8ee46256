import { expect, test } from 'vitest'
import { isFilledByBot, MIN_FORM_FILL_MS } from './bot-signals.ts'

test.each([
  ['a form that says nothing about itself', { hiddenField: null, openMs: null }, false],
  ['a form that was open for a while', { hiddenField: '', openMs: MIN_FORM_FILL_MS }, false],
  ['a form that was open for too short', { hiddenField: '', openMs: MIN_FORM_FILL_MS - 1 }, true],
  ['a form whose hidden field is filled in', { hiddenField: 'https://spam.example', openMs: 60_000 }, true],
  ['a hidden field with nothing but spaces', { hiddenField: '  ', openMs: null }, false],
])('%s is told from a person’s: %o, %s', (_what, signs, expected) => {
  expect(isFilledByBot(signs)).toBe(expected)
})

// @vitest-environment happy-dom

import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { TextArea, TextField } from './field.tsx'
import { PasswordField } from './password-field.tsx'

test('a field is found by its label, and its error is read with it instead of the hint', () => {
  render(
    <TextField label="Email" hint="We never share it." error="Please enter a valid email address" required />,
  )
  const input = screen.getByRole('textbox', { name: 'Email' })
  expect(describedTexts(input)).toEqual([PROBLEMS['auth.invalid_email'].title])
  expect(screen.queryByText('We never share it.')).toBeNull()
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(input.getAttribute('aria-required')).toBe('true')
})

test('without an error the hint is read', () => {
  render(<TextField label="Email" hint="We never share it." />)
  expect(describedTexts(screen.getByRole('textbox', { name: 'Email' }))).toEqual(['We never share it.'])
})

test('a field without a mistake is not announced as one', () => {
  render(<TextArea label="Additional Notes" />)
  const area = screen.getByRole('textbox', { name: 'Additional Notes' })
  expect(area.hasAttribute('aria-invalid')).toBe(false)
  expect(area.hasAttribute('aria-describedby')).toBe(false)
})

test('a password is hidden until it is asked to be shown, and can be hidden again', async () => {
  render(<PasswordField required={false} />)
  const input = screen.getByLabelText('Password')
  await userEvent.type(input, 'correct horse')
  expect(input.getAttribute('type')).toBe('password')
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(input.getAttribute('type')).toBe('text')
  await userEvent.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(input.getAttribute('type')).toBe('password')
})

/** Returns the texts that assistive technology reads after the label, in order. */
function describedTexts(element: HTMLElement): (string | undefined)[] {
  const ids = element.getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent?.trim())
}

// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { RadioGroup } from './radio-group.tsx'

test('a group has its name, and each option its own, with what it means beside it', () => {
  render(<Fates />)
  expect(screen.getByRole('group', { name: 'Events' })).toBeDefined()
  const keep = screen.getByRole('radio', { name: 'Keep them' })
  const hint = document.getElementById(keep.getAttribute('aria-describedby') ?? '')
  expect(hint?.textContent).toBe('They stay as they are.')
  expect(screen.getByRole('radio', { name: 'Remove them' }).hasAttribute('aria-describedby')).toBe(false)
})

test('a press on the words of an option chooses it, and no other stays chosen', async () => {
  render(<Fates />)
  await userEvent.click(screen.getByText('Remove them'))
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Remove them' }).checked).toBe(true)
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Keep them' }).checked).toBe(false)
})

test('two groups on a page are two', async () => {
  render(
    <>
      <Fates />
      <Fates />
    </>,
  )
  const [first, , third] = screen.getAllByRole<HTMLInputElement>('radio')
  expect([first?.checked, third?.checked]).toEqual([true, true])
  expect(first?.name).not.toBe(third?.name)
})

function Fates() {
  const [fate, setFate] = useState<'keep' | 'remove'>('keep')
  return (
    <RadioGroup
      legend="Events"
      options={[
        { value: 'keep', label: 'Keep them', hint: 'They stay as they are.' },
        { value: 'remove', label: 'Remove them' },
      ]}
      value={fate}
      onChange={setFate}
    />
  )
}

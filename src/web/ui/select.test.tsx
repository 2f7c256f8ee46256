// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Select } from './select.tsx'

test('it shows what is chosen, and another option can be chosen', async () => {
  render(<Filter />)
  const trigger = screen.getByRole('combobox', { name: 'Show' })
  expect(trigger.textContent).toBe('Upcoming')
  await userEvent.click(trigger)
  await userEvent.click(await screen.findByRole('option', { name: 'All appointments' }))
  expect(trigger.textContent).toBe('All appointments')
})

test('no style element is added to the page, which the Content-Security-Policy would refuse', async () => {
  render(<Filter />)
  await userEvent.click(screen.getByRole('combobox', { name: 'Show' }))
  await screen.findByRole('option', { name: 'Past' })
  expect(document.querySelectorAll('style')).toHaveLength(0)
})

function Filter() {
  const [filter, setFilter] = useState('upcoming')
  return <Select label="Show" options={FILTERS} value={filter} onChange={setFilter} />
}

const FILTERS = [
  { value: 'upcoming', label: 'Upcoming' },
  { value: 'past', label: 'Past' },
  { value: 'all', label: 'All appointments' },
]

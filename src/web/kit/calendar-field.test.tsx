// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { CalendarField } from './calendar-field.tsx'

test('up to ten calendars are a list, in which all of them together come first', async () => {
  const { user, onChange } = renderField(10)
  await user.click(screen.getByRole('combobox', { name: 'Calendar' }))
  const names = (await screen.findAllByRole('option')).map((option) => option.textContent)
  expect(names.slice(0, 2)).toEqual(['All calendars', 'Calendar 1'])
  await user.click(screen.getByRole('option', { name: 'Calendar 10' }))
  expect(onChange).toHaveBeenLastCalledWith('id-10')
})

test('more than ten calendars can be searched', async () => {
  const { user, onChange } = renderField(30)
  await user.type(screen.getByRole('combobox', { name: 'Calendar' }), 'calendar 27')
  expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual(['Calendar 27'])
  await user.keyboard('{Enter}')
  expect(onChange).toHaveBeenLastCalledWith('id-27')
  await user.click(screen.getByRole('button', { name: 'Show all: Calendar' }))
  await user.click(await screen.findByRole('option', { name: 'All calendars' }))
  expect(onChange).toHaveBeenLastCalledWith(null)
})

function renderField(count: number) {
  const calendars = Array.from({ length: count }, (_, i) => ({
    id: `id-${i + 1}`,
    name: `Calendar ${i + 1}`,
    color: '#3498db',
  }))
  const onChange = vi.fn()
  render(<CalendarField calendars={calendars} hasAll value="id-1" onChange={onChange} />)
  return { user: userEvent.setup({ delay: null }), onChange }
}

// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { MonthCalendar } from './month-calendar.tsx'
import { monthOf } from './month-grid.ts'
import type { DayMarks } from './times-queries.ts'

afterEach(cleanup)

test('past days and days beyond the last are disabled; today and the last day are not', () => {
  renderCalendar({ lastDate: '2026-11-27' })
  expect(day('Thursday, November 19, 2026').disabled).toBe(true)
  expect(day('Friday, November 20, 2026, today').disabled).toBe(false)
  expect(day('Friday, November 27, 2026').disabled).toBe(false)
  expect(day('Saturday, November 28, 2026').disabled).toBe(true)
})

test('a day without free times says so in its name before it is chosen, and can still be chosen', async () => {
  const onSelect = renderCalendar({ marks: { '2026-11-23': 'full', '2026-11-24': 'free' } })
  await userEvent.click(day('Monday, November 23, 2026, no available times'))
  expect(onSelect).toHaveBeenLastCalledWith('2026-11-23')
  expect(day('Tuesday, November 24, 2026')).toBeTruthy()
})

test('the chosen day is pressed, and only that one', async () => {
  renderCalendar({})
  await userEvent.click(day('Tuesday, November 24, 2026'))
  expect(screen.getAllByRole('button', { pressed: true })).toEqual([day('Tuesday, November 24, 2026')])
})

test('the Tab key stops once in the grid, and the arrow keys move in it', async () => {
  const onSelect = renderCalendar({})
  await userEvent.tab()
  await userEvent.tab()
  await userEvent.tab()
  expect(focused()).toBe('Friday, November 20, 2026, today')
  await userEvent.keyboard('{ArrowRight}{ArrowDown}')
  expect(focused()).toBe('Saturday, November 28, 2026')
  await userEvent.keyboard('{Home}')
  expect(focused()).toBe('Sunday, November 22, 2026')
  await userEvent.keyboard('{Enter}')
  expect(onSelect).toHaveBeenLastCalledWith('2026-11-22')
})

test('the keys do not leave the range', async () => {
  renderCalendar({})
  day('Friday, November 20, 2026, today').focus()
  await userEvent.keyboard('{ArrowLeft}{PageUp}')
  expect(focused()).toBe('Friday, November 20, 2026, today')
})

test('the keys go on into the next month, and Page Down goes there at once', async () => {
  renderCalendar({})
  day('Friday, November 20, 2026, today').focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(screen.getByRole('group', { name: 'December 2026' })).toBeTruthy()
  expect(focused()).toBe('Friday, December 4, 2026')
  await userEvent.keyboard('{PageDown}')
  expect(focused()).toBe('Monday, January 4, 2027')
})

test('the month buttons end where the range ends and keep the focus', async () => {
  renderCalendar({ lastDate: '2026-12-15' })
  const previous = screen.getByRole('button', { name: 'Go to the previous month' })
  expect(previous.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(screen.getByRole('button', { name: 'Go to the next month, December 2026' }))
  expect(screen.getByRole('heading', { name: 'December 2026' })).toBeTruthy()
  const next = screen.getByRole('button', { name: 'Go to the next month' })
  expect(next.getAttribute('aria-disabled')).toBe('true')
  expect(document.activeElement).toBe(next)
  await userEvent.click(next)
  expect(screen.getByRole('heading', { name: 'December 2026' })).toBeTruthy()
})

test('a week begins on the day it begins on where the visitor lives', () => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE')
  renderCalendar({})
  const weekdays = [...document.querySelectorAll('.react-calendar__month-view__weekdays abbr')]
  expect(weekdays.map((weekday) => weekday.getAttribute('aria-label'))).toEqual([
    'Monday',
    'Tuesday',
    'Wednesday',
    'Thursday',
    'Friday',
    'Saturday',
    'Sunday',
  ])
  vi.restoreAllMocks()
})

function renderCalendar({ lastDate = '2028-11-19', marks = {} }: { lastDate?: string; marks?: DayMarks }) {
  const onSelect = vi.fn<(date: string) => void>()
  render(<Calendar lastDate={lastDate} marks={marks} onSelect={onSelect} />)
  return onSelect
}

function Calendar(props: { lastDate: string; marks: DayMarks; onSelect: (date: string) => void }) {
  const [month, setMonth] = useState(monthOf('2026-11-20'))
  const [selected, setSelected] = useState<string | null>(null)
  return (
    <MonthCalendar
      month={month}
      onMonthChange={setMonth}
      selected={selected}
      onSelect={(date) => {
        setSelected(date)
        props.onSelect(date)
      }}
      today="2026-11-20"
      lastDate={props.lastDate}
      marks={props.marks}
    />
  )
}

function day(name: string): HTMLButtonElement {
  return screen.getByRole<HTMLButtonElement>('button', { name })
}

function focused(): string | null | undefined {
  return document.activeElement?.querySelector('abbr')?.getAttribute('aria-label')
}

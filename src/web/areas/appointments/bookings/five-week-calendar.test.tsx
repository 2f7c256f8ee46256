// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { FiveWeekCalendar } from './five-week-calendar.tsx'
import { firstWeekdayOf, startOfWeeks } from './five-weeks.ts'
import type { DayAvailability } from './times-queries.ts'

const TODAY = '2026-11-20'

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

test('the keys go on into the next weeks, and Page Down goes to the next month', async () => {
  renderCalendar({})
  day('Friday, November 20, 2026, today').focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(screen.getByRole('grid', { name: 'Nov – Dec 2026' })).toBeTruthy()
  expect(focused()).toBe('Friday, December 4, 2026')
  await userEvent.keyboard('{PageDown}')
  expect(screen.getByRole('grid', { name: 'Dec 2026 – Jan 2027' })).toBeTruthy()
  expect(focused()).toBe('Monday, January 4, 2027')
  await userEvent.keyboard('{ArrowLeft}')
  expect(focused()).toBe('Sunday, January 3, 2027')
})

test('where the page reads from right to left, the arrow keys still move to the day that they point at', async () => {
  renderCalendar({})
  screen.getByRole('grid').style.direction = 'rtl'
  day('Friday, November 20, 2026, today').focus()
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(focused()).toBe('Sunday, November 22, 2026')
  await userEvent.keyboard('{ArrowRight}')
  expect(focused()).toBe('Saturday, November 21, 2026')
})

test('End goes to the last day of the week, and Shift with Page Down or Page Up to another year', async () => {
  renderCalendar({})
  day('Friday, November 20, 2026, today').focus()
  await userEvent.keyboard('{End}')
  expect(focused()).toBe('Saturday, November 21, 2026')
  await userEvent.keyboard('{Shift>}{PageDown}{/Shift}')
  expect(focused()).toBe('Sunday, November 21, 2027')
  await userEvent.keyboard('{Shift>}{PageUp}{/Shift}')
  expect(focused()).toBe('Saturday, November 21, 2026')
})

test('a key with Alt, Ctrl or Meta is left to the browser', async () => {
  renderCalendar({})
  day('Friday, November 20, 2026, today').focus()
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}{Control>}{End}{/Control}{Meta>}{ArrowDown}{/Meta}')
  expect(focused()).toBe('Friday, November 20, 2026, today')
})

test('a day is in the row of its week and the column of its weekday, and the grid says which is chosen', async () => {
  renderCalendar({})
  await userEvent.click(day('Tuesday, November 24, 2026'))
  const rows = screen.getAllByRole('row').slice(1)
  expect(rows.map((row) => row.children.length)).toEqual([7, 7, 7, 7, 7])
  expect(rows[0]?.textContent).toBe('15161718192021')
  expect(rows[1]?.textContent).toBe('22232425262728')
  expect(rows[2]?.textContent).toBe('293012345')
  const months = screen.getAllByRole('button').map((button) => button.dataset.month ?? '')
  expect(months.filter(Boolean)).toEqual(['Dec'])
  const chosen = [...screen.getByRole('grid').querySelectorAll('[aria-selected=true]')]
  expect(chosen.map((cell) => cell.textContent)).toEqual(['24'])
  expect(chosen[0]).toBe(rows[1]?.children[2])
})

test('a day that cannot be chosen says why', () => {
  renderCalendar({ lastDate: '2026-11-27' })
  expect(day('Thursday, November 19, 2026').title).toBe('This day has passed')
  expect(day('Saturday, November 28, 2026').title).toBe('This day is too far ahead to book')
  expect(day('Friday, November 27, 2026').title).toBe('')
})

test('the buttons move by five weeks, end where the range ends and keep the focus', async () => {
  renderCalendar({ lastDate: '2026-12-25' })
  const previous = screen.getByRole('button', { name: 'Go to the previous weeks' })
  expect(previous.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(screen.getByRole('button', { name: 'Go to the next weeks, Dec 2026 – Jan 2027' }))
  expect(screen.getByRole('heading', { name: 'Dec 2026 – Jan 2027' })).toBeTruthy()
  expect(day('Sunday, December 20, 2026').tabIndex).toBe(0)
  const next = screen.getByRole('button', { name: 'Go to the next weeks' })
  expect(next.getAttribute('aria-disabled')).toBe('true')
  expect(document.activeElement).toBe(next)
  await userEvent.click(next)
  expect(screen.getByRole('heading', { name: 'Dec 2026 – Jan 2027' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Go to the previous weeks, Nov – Dec 2026' }))
  expect(day('Friday, November 20, 2026, today')).toBeTruthy()
})

test('a week begins on the day it begins on where the visitor lives', () => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE')
  renderCalendar({})
  const weekdays = screen.getAllByRole('columnheader')
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

function renderCalendar({
  lastDate = '2028-11-19',
  marks = {},
}: {
  lastDate?: string
  marks?: DayAvailability
}) {
  const onSelect = vi.fn<(date: string) => void>()
  render(<Calendar lastDate={lastDate} marks={marks} onSelect={onSelect} />)
  return onSelect
}

function Calendar(props: { lastDate: string; marks: DayAvailability; onSelect: (date: string) => void }) {
  const [shownDate, setShownDate] = useState(TODAY)
  const [selected, setSelected] = useState<string | null>(null)
  return (
    <FiveWeekCalendar
      start={startOfWeeks(shownDate, TODAY, firstWeekdayOf())}
      onShow={setShownDate}
      selected={selected}
      onSelect={(date) => {
        setSelected(date)
        props.onSelect(date)
      }}
      today={TODAY}
      lastDate={props.lastDate}
      marks={props.marks}
    />
  )
}

function day(name: string): HTMLButtonElement {
  return screen.getByRole<HTMLButtonElement>('button', { name })
}

function focused(): string | null | undefined {
  return document.activeElement?.getAttribute('aria-label')
}

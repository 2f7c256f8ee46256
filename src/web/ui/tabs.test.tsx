// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Tabs } from './tabs.tsx'

test('only the chosen panel is there, and another tab brings its own', async () => {
  render(<Settings />)
  expect(screen.getByRole('tabpanel').textContent).toBe('Danger Zone')
  await userEvent.click(screen.getByRole('tab', { name: 'Appointments' }))
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Appointments')
  expect(screen.getByRole('tabpanel').textContent).toBe('No appointments found')
})

test('a row that goes on shows it at that edge, and an arrow turns to the rest', async () => {
  render(<Settings />)
  const row = screen.getByRole('tablist')
  expect(arrows()).toEqual([])
  scrolled(row, { scrollLeft: 0, clientWidth: 300, scrollWidth: 900 })
  expect(arrows()).toEqual(['right'])
  const turned: ScrollToOptions[] = []
  row.scrollBy = (options?: ScrollToOptions | number) => turned.push(options as ScrollToOptions)
  fireEvent.click(arrow('right'))
  expect(turned).toEqual([{ left: 210, behavior: 'smooth' }])
  scrolled(row, { scrollLeft: 300, clientWidth: 300, scrollWidth: 900 })
  expect(arrows()).toEqual(['left', 'right'])
  scrolled(row, { scrollLeft: 600, clientWidth: 300, scrollWidth: 900 })
  expect(arrows()).toEqual(['left'])
})

test('from right to left the row begins at the right edge', () => {
  render(<Settings />)
  const row = screen.getByRole('tablist')
  row.style.direction = 'rtl'
  scrolled(row, { scrollLeft: 0, clientWidth: 300, scrollWidth: 900 })
  expect(arrows()).toEqual(['left'])
  scrolled(row, { scrollLeft: -600, clientWidth: 300, scrollWidth: 900 })
  expect(arrows()).toEqual(['right'])
})

test('the arrows are for pointers only: the keyboard goes through the tabs', () => {
  render(<Settings />)
  scrolled(screen.getByRole('tablist'), { scrollLeft: 300, clientWidth: 300, scrollWidth: 900 })
  expect(screen.queryByRole('button')).toBeNull()
  for (const side of ['left', 'right']) expect(arrow(side).tabIndex).toBe(-1)
})

test('the chosen tab is brought to the middle of its row, without moving the page', async () => {
  render(<Settings />)
  const row = screen.getByRole('tablist')
  const moves: unknown[] = []
  row.scrollBy = (options?: ScrollToOptions | number) => moves.push(options)
  place(row, 0, 300)
  place(screen.getByRole('tab', { name: 'Appointments' }), 280, 100)
  await userEvent.click(screen.getByRole('tab', { name: 'Appointments' }))
  expect(moves).toEqual([{ left: 180, behavior: 'smooth' }])
})

test('a row that gets another width brings its chosen tab to the middle again, at once', () => {
  const resized: (() => void)[] = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: ResizeObserverCallback) {
        resized.push(() => callback([], this))
      }
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  render(<Settings />)
  const row = screen.getByRole('tablist')
  const moves: unknown[] = []
  row.scrollBy = (options?: ScrollToOptions | number) => moves.push(options)
  place(row, 0, 300)
  place(screen.getByRole('tab', { name: 'General' }), 280, 100)
  act(() => {
    for (const tell of resized) tell()
  })
  expect(moves).toEqual([{ left: 180, behavior: 'instant' }])
})

function scrolled(row: HTMLElement, sizes: Record<'scrollLeft' | 'clientWidth' | 'scrollWidth', number>) {
  for (const [name, value] of Object.entries(sizes))
    Object.defineProperty(row, name, { value, configurable: true })
  fireEvent.scroll(row)
}

function place(element: HTMLElement, left: number, width: number): void {
  element.getBoundingClientRect = () => new DOMRect(left, 0, width, 44)
}

function arrow(side: string): HTMLElement {
  const button = document.querySelector<HTMLElement>(`button[data-turn="${side}"]`)
  if (button === null) throw new Error(`there is no arrow on the ${side}`)
  return button
}

function arrows(): (string | undefined)[] {
  return [...document.querySelectorAll<HTMLElement>('button[data-turn]')].map(({ dataset }) => dataset.turn)
}

function Settings() {
  const [tab, setTab] = useState<'general' | 'appointments'>('general')
  return (
    <Tabs
      tabs={[
        { id: 'general', label: 'General', panel: 'Danger Zone' },
        { id: 'appointments', label: 'Appointments', panel: 'No appointments found' },
      ]}
      value={tab}
      onChange={setTab}
    />
  )
}

// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { retryUntilPasses } from '#tests/support/eventually.ts'
import { ThemeToggle } from './theme-toggle.tsx'

let system: ReturnType<typeof pretendSystem>

beforeEach(() => {
  system = pretendSystem()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
  document.head.innerHTML = ''
})

test('the choice is kept under ui-theme and shown at once', async () => {
  render(<ThemeToggle />)
  await userEvent.click(screen.getByRole('button', { name: 'Theme: system. Switch to dark.' }))
  expect([localStorage.getItem('ui-theme'), shownTheme()]).toEqual(['dark', 'dark'])
  await userEvent.click(screen.getByRole('button', { name: 'Theme: dark. Switch to light.' }))
  expect([localStorage.getItem('ui-theme'), shownTheme()]).toEqual(['light', 'light'])
  await userEvent.click(screen.getByRole('button', { name: 'Theme: light. Switch to system.' }))
  expect([localStorage.getItem('ui-theme'), shownTheme()]).toEqual(['system', 'light'])
})

test('on a dark system, too, the first press shows: it is light first', async () => {
  system.turn('dark')
  runBeforeFirstPaint()
  render(<ThemeToggle />)
  expect(shownTheme()).toBe('dark')
  await userEvent.click(screen.getByRole('button', { name: 'Theme: system. Switch to light.' }))
  expect(shownTheme()).toBe('light')
  await userEvent.click(screen.getByRole('button', { name: 'Theme: light. Switch to dark.' }))
  await userEvent.click(screen.getByRole('button', { name: 'Theme: dark. Switch to system.' }))
  expect([localStorage.getItem('ui-theme'), shownTheme()]).toEqual(['system', 'dark'])
})

test('without a choice the page follows the system while it is open', () => {
  render(<ThemeToggle />)
  act(() => system.turn('dark'))
  expect(shownTheme()).toBe('dark')
  act(() => system.turn('light'))
  expect(shownTheme()).toBe('light')
})

test('a choice is stronger than the system', async () => {
  localStorage.setItem('ui-theme', 'light')
  render(<ThemeToggle />)
  act(() => system.turn('dark'))
  expect(shownTheme()).toBe('light')
})

test('a choice made in another tab is followed', () => {
  render(<ThemeToggle />)
  localStorage.setItem('ui-theme', 'dark')
  act(() => window.dispatchEvent(new Event('storage')))
  expect(shownTheme()).toBe('dark')
  expect(screen.getByRole('button', { name: 'Theme: dark. Switch to light.' })).toBeTruthy()
})

test.each([
  ['dark', 'light', 'dark'],
  ['light', 'dark', 'light'],
  ['system', 'dark', 'dark'],
  [null, 'dark', 'dark'],
  [null, 'light', 'light'],
  ['nonsense', 'dark', 'dark'],
] as const)('before the first paint, %s on a %s system shows %s', (stored, systemTheme, shown) => {
  if (stored !== null) localStorage.setItem('ui-theme', stored)
  system.turn(systemTheme)
  runBeforeFirstPaint()
  expect(shownTheme()).toBe(shown)
})

test('where storage is forbidden the page still shows the theme of the system', () => {
  system.turn('dark')
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  runBeforeFirstPaint()
  expect(shownTheme()).toBe('dark')
})

test('the bar of the browser has the colour of the theme that is shown, and follows it', async () => {
  document.head.innerHTML = `
    <meta name="theme-color" content="#fff" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="#000" media="(prefers-color-scheme: dark)" />`
  localStorage.setItem('ui-theme', 'dark')
  runBeforeFirstPaint()
  expect(barColour()).toEqual(['#000'])
  document.documentElement.dataset.theme = 'light'
  await retryUntilPasses(() => expect(barColour()).toEqual(['#fff']))
})

function barColour(): string[] {
  const bars = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')]
  return bars.filter(({ media }) => media === 'all').map(({ content }) => content)
}

function shownTheme(): string | undefined {
  return document.documentElement.dataset.theme
}

/** Runs public/theme.js as the browser does: as a classic script, before all other scripts. */
function runBeforeFirstPaint(): void {
  delete document.documentElement.dataset.theme
  new Function(readFileSync('src/web/public/theme.js', 'utf8'))()
}

/** Simulates an operating system whose dark mode can be turned on and off. */
function pretendSystem() {
  const query = Object.assign(new EventTarget(), { matches: false })
  vi.stubGlobal('matchMedia', () => query)
  return {
    turn: (theme: 'light' | 'dark') => {
      query.matches = theme === 'dark'
      query.dispatchEvent(new Event('change'))
    },
  }
}

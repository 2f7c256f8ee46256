// @vitest-environment happy-dom
import { Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { retryUntilPasses } from '#tests/support/eventually.ts'
import { renderIntoDocument } from './mount.tsx'

const onPress = vi.fn()
// As on the real pages, React hydrates the content of a `Suspense` after its surroundings.
const page = (
  <Suspense>
    <button type="button" onClick={onPress}>
      Press me
    </button>
  </Suspense>
)

beforeEach(() => {
  onPress.mockClear()
  document.body.innerHTML = `<div id="root">${renderToString(page)}</div>`
})
afterEach(() => {
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})

test('a button that was pressed before the script was there is pressed once', async () => {
  button().setAttribute('data-pressed', '')
  renderIntoDocument(page)
  await untilTakenOver()
  expect(onPress).toHaveBeenCalledOnce()
})

test('one that is pressed while React takes the page over is pressed once, though it is marked', async () => {
  // React's development build warns of the `data-pressed` attribute, which the server's HTML does not have.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  renderIntoDocument(page)
  button().setAttribute('data-pressed', '')
  button().click()
  await untilTakenOver()
  expect(onPress).toHaveBeenCalledOnce()
})

test('one that nobody pressed is not pressed', async () => {
  renderIntoDocument(page)
  await untilTakenOver()
  expect(onPress).not.toHaveBeenCalled()
})

function button(): HTMLElement {
  const found = document.querySelector('button')
  if (found === null) throw new Error('no button')
  return found
}

/** Waits until React has hydrated the button, which adds React's own keys to the element. */
async function untilTakenOver(): Promise<void> {
  await retryUntilPasses(() =>
    expect(Object.keys(button()).some((key) => key.startsWith('__reactProps$'))).toBe(true),
  )
  // React runs effects after that.
  await new Promise((resolve) => setTimeout(resolve, 50))
}

// @vitest-environment happy-dom
import { Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { mount } from './mount.tsx'

const onPress = vi.fn()
// As the pages are: what is below a `Suspense` is taken over after what is around it.
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
  mount(page)
  await untilTakenOver()
  expect(onPress).toHaveBeenCalledOnce()
})

test('one that is pressed while React takes the page over is pressed once, though it is marked', async () => {
  // Development's React warns of the mark, which the server's HTML does not have.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  mount(page)
  button().setAttribute('data-pressed', '')
  button().click()
  await untilTakenOver()
  expect(onPress).toHaveBeenCalledOnce()
})

test('one that nobody pressed is not pressed', async () => {
  mount(page)
  await untilTakenOver()
  expect(onPress).not.toHaveBeenCalled()
})

function button(): HTMLElement {
  const found = document.querySelector('button')
  if (found === null) throw new Error('no button')
  return found
}

/** React puts its own keys on an element when it takes it over. */
async function untilTakenOver(): Promise<void> {
  await eventually(() =>
    expect(Object.keys(button()).some((key) => key.startsWith('__reactProps$'))).toBe(true),
  )
  // Effects come after that.
  await new Promise((resolve) => setTimeout(resolve, 50))
}

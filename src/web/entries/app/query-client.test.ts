// @vitest-environment happy-dom
import { QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { retryUntilPasses } from '#tests/support/eventually.ts'
import { buildQueryClient } from './query-client.ts'

test('what a page shows already is fetched again after the page is painted', async () => {
  const { queryFn, observe } = prepare()
  const frames: FrameRequestCallback[] = []
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation((paint) => frames.push(paint))
  observe('empty')
  expect(queryFn).toHaveBeenCalledTimes(1)
  observe('shown')
  const leave = observe('left')
  leave()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(queryFn).toHaveBeenCalledTimes(1)
  for (const paint of frames) paint(0)
  await retryUntilPasses(() => expect(queryFn).toHaveBeenCalledTimes(2))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(queryFn, 'a page that was left meanwhile').toHaveBeenCalledTimes(2)
})

test('what a change has made out of date is fetched again at once', () => {
  const { client, queryFn, observe } = prepare()
  vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(1)
  observe('shown')
  void client.invalidateQueries()
  expect(queryFn).toHaveBeenCalledTimes(1)
})

test('a hidden page, which is never painted, fetches at once', () => {
  const { queryFn, observe } = prepare()
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  observe('shown')
  expect(queryFn).toHaveBeenCalledTimes(1)
})

/** Builds a client that has the data `shown`, and a function that begins to show a query. */
function prepare() {
  const client = buildQueryClient()
  for (const key of ['shown', 'left']) client.setQueryData([key], 'old')
  const queryFn = vi.fn(() => Promise.resolve('new'))
  const observe = (key: string) => new QueryObserver(client, { queryKey: [key], queryFn }).subscribe(() => {})
  return { client, queryFn, observe }
}

// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeStoredChoice } from './stored-choice.ts'

beforeEach(() => localStorage.clear())

test('a choice is remembered, and counts for all components', () => {
  const { useChoice, choose } = makeStoredChoice('sample', ['wide', 'narrow'])
  const shown = renderHook(useChoice).result
  expect(shown.current).toBeNull()
  act(() => choose('narrow'))
  expect(shown.current).toBe('narrow')
  expect(renderHook(makeStoredChoice('sample', ['wide', 'narrow']).useChoice).result.current).toBe('narrow')
})

test('a choice that cannot be stored applies to this page', () => {
  const { useChoice, choose } = makeStoredChoice('sample', ['wide', 'narrow'])
  const shown = renderHook(useChoice).result
  vi.stubGlobal('localStorage', {
    getItem: () => 'wide',
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  })
  act(() => choose('narrow'))
  expect(shown.current).toBe('narrow')
})

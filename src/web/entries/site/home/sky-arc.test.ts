import { afterEach, expect, test, vi } from 'vitest'
import { animateRise, positionOnArc } from './sky-arc.ts'

afterEach(() => vi.unstubAllGlobals())

function riseWith({ calm }: { calm: boolean }) {
  vi.stubGlobal('matchMedia', () => ({ matches: calm }))
  const animate = vi.fn((_steps: { translate: string[] }) => {})
  // `rise` uses only this method of the element.
  animateRise({ animate } as unknown as HTMLElement, 0.5)
  return animate
}

test('goes from horizon to horizon over the meridian', () => {
  expect(positionOnArc(0).x).toBeCloseTo(5)
  expect(positionOnArc(0).y).toBeCloseTo(100)
  expect(positionOnArc(0.5).x).toBeCloseTo(50)
  expect(positionOnArc(0.5).y).toBeCloseTo(12)
  expect(positionOnArc(1).x).toBeCloseTo(95)
  expect(positionOnArc(1).y).toBeCloseTo(100)
})

test('lets the light rise from the horizon to its place, along the arc', () => {
  const animate = riseWith({ calm: false })
  expect(animate).toHaveBeenCalledOnce()
  const translate = animate.mock.calls[0]?.[0].translate ?? []
  expect(translate[0]).toBe('-45.00% 88.00%')
  expect(translate.at(-1)).toBe('0.00% 0.00%')
  // The point lies off the straight line between both ends, on which x and y would shrink in proportion.
  const [x = 0, y = 0] = (translate[6] ?? '').split(' ').map(Number.parseFloat)
  expect(y / 88).toBeLessThan(-x / 45)
})

test('keeps the light at its place for somebody who wants no motion', () => {
  expect(riseWith({ calm: true })).not.toHaveBeenCalled()
})

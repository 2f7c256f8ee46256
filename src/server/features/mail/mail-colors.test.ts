import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrastOf, DAY, NIGHT, ON_NOON, visibleOn } from './mail-colors.ts'

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

describe('visibleOn', () => {
  test('leaves a colour that can be seen as the owner chose it', () => {
    expect(visibleOn('#3498db', NIGHT.paper)).toBe('#3498db')
    expect(visibleOn('#8e44ad', DAY.paper)).toBe('#8e44ad')
  })

  test('can be seen by day and by night, whatever colour was chosen', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        for (const { paper } of [DAY, NIGHT]) {
          expect(contrastOf(visibleOn(color, paper), paper)).toBeGreaterThanOrEqual(3)
        }
      }),
    )
  })
})

test('black on white has the contrast that WCAG says', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

describe.each([
  ['day', DAY],
  ['night', NIGHT],
])('by %s', (_when, palette) => {
  test('every text can be read on everything it stands on', () => {
    for (const background of [palette.paper, palette.surface, palette.sunken]) {
      for (const text of [palette.ink, palette.inkSoft, palette.link]) {
        expect(contrastOf(text, background)).toBeGreaterThanOrEqual(4.5)
      }
    }
    expect(contrastOf(ON_NOON, palette.noon)).toBeGreaterThanOrEqual(4.5)
  })
})

import { describe, expect, test } from 'vitest'
import { contrastRatio } from '#core/calendars/accent-color.ts'
import { DAY_COLORS, NIGHT_COLORS, TEXT_ON_NOON } from './html-styles.ts'

describe.each([
  ['day', DAY_COLORS],
  ['night', NIGHT_COLORS],
])('by %s', (_when, palette) => {
  test('every text can be read on everything it stands on', () => {
    for (const background of [palette.paper, palette.surface, palette.sunken]) {
      for (const text of [palette.ink, palette.inkSoft, palette.link]) {
        expect(contrastRatio(text, background)).toBeGreaterThanOrEqual(4.5)
      }
    }
    expect(contrastRatio(TEXT_ON_NOON, palette.noon)).toBeGreaterThanOrEqual(4.5)
  })
})

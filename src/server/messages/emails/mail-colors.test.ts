import { describe, expect, test } from 'vitest'
import { contrastRatio } from '#core/calendars/accent-color.ts'
import { DARK_MODE_COLORS, LIGHT_MODE_COLORS, TEXT_COLOR_ON_SUN } from './html-styles.ts'

describe.each([
  ['day', LIGHT_MODE_COLORS],
  ['night', DARK_MODE_COLORS],
])('by %s', (_when, palette) => {
  test('every text can be read on everything it stands on', () => {
    for (const background of [palette.paper, palette.surface, palette.sunken]) {
      for (const text of [palette.ink, palette.inkSoft, palette.link]) {
        expect(contrastRatio(text, background)).toBeGreaterThanOrEqual(4.5)
      }
    }
    expect(contrastRatio(TEXT_COLOR_ON_SUN, palette.noon)).toBeGreaterThanOrEqual(4.5)
  })
})

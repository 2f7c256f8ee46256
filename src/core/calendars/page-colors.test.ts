import { expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { contrastRatio } from './accent-color.ts'
import { brandColors, checkColor } from './page-colors.ts'

const anyColor = () =>
  fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

/** Extracts the two colours of `light-dark(a, b)`. */
function bothOf(value: string | undefined): string[] {
  return value?.match(/#[0-9a-f]{6}/g) ?? []
}

test('text on a fill is readable for every colour, and the fill keeps the chosen colour', () => {
  fc.assert(
    fc.property(anyColor(), anyColor(), (primary, secondary) => {
      const colors = brandColors({ primary, secondary })
      expect(colors['--noon']).toBe(primary)
      expect(colors['--picked']).toBe(primary)
      expect(colors['--accent']).toBe(secondary)
      expect(contrastRatio(colors['--on-noon'] ?? '', primary)).toBeGreaterThanOrEqual(4.5)
      expect(contrastRatio(colors['--on-noon'] ?? '', colors['--noon-strong'] ?? '')).toBeGreaterThanOrEqual(
        4.5,
      )
      expect(contrastRatio(colors['--on-accent'] ?? '', secondary)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

test('links and the focus ring are readable in light and dark mode', () => {
  fc.assert(
    fc.property(anyColor(), (primary) => {
      const { '--link': link, '--focus': focus } = brandColors({ primary, secondary: '#10b981' })
      const [light = '', dark = ''] = bothOf(link)
      expect(bothOf(focus)).toEqual([light, dark])
      for (const paper of ['#faf6ee', '#fffdf9', '#f2ecdf']) {
        expect(contrastRatio(light, paper)).toBeGreaterThanOrEqual(4.5)
      }
      for (const paper of ['#0e1524', '#162033', '#0a101c']) {
        expect(contrastRatio(dark, paper)).toBeGreaterThanOrEqual(4.5)
      }
    }),
  )
})

test('the mark in a selected box is visible in light and dark mode', () => {
  fc.assert(
    fc.property(anyColor(), (primary) => {
      const [light = '', dark = ''] = bothOf(brandColors({ primary, secondary: '#10b981' })['--mark'])
      expect(contrastRatio(light, '#1a2436')).toBeGreaterThanOrEqual(3)
      expect(contrastRatio(dark, '#3a4a68')).toBeGreaterThanOrEqual(3)
    }),
  )
})

test('checkColor reports how a colour will be used', () => {
  expect(checkColor('#FFFF00')).toMatchObject({ onColor: '#000000', isCorrected: true })
  expect(checkColor('#1d4ed8')).toMatchObject({ onColor: '#ffffff', light: '#1d4ed8', isCorrected: true })
  expect(checkColor('#3B82F6').contrastOnColor).toBeGreaterThanOrEqual(4.5)
})

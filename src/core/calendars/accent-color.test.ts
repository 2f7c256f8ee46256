import { expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { contrastRatio, toAccentColors, toVisibleColor } from './accent-color.ts'

const anyColor = () =>
  fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('every colour becomes readable on the surface, and so is the text on it', () => {
  fc.assert(
    fc.property(anyColor(), fc.constantFrom('#ffffff', '#f8fafc', '#0b1220', '#1c2536'), (color, surface) => {
      const accent = toAccentColors(color, surface)
      expect(contrastRatio(accent.color, surface)).toBeGreaterThanOrEqual(4.5)
      expect(contrastRatio(accent.onColor, accent.color)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

test('a readable colour is not changed', () => {
  expect(toAccentColors('#1d4ed8', '#ffffff')).toEqual({ color: '#1d4ed8', onColor: '#ffffff' })
  expect(toAccentColors('#ffd54a', '#0b1220')).toEqual({ color: '#ffd54a', onColor: '#000000' })
})

test('a yellow becomes darker on white and a navy lighter on black', () => {
  expect(toAccentColors('#ffff00', '#ffffff').color).not.toBe('#ffff00')
  expect(contrastRatio(toAccentColors('#000080', '#0b1220').color, '#000000')).toBeGreaterThan(
    contrastRatio('#000080', '#000000'),
  )
})

test('every colour becomes visible in light and dark mode, and a visible colour is not changed', () => {
  fc.assert(
    fc.property(anyColor(), fc.constantFrom('#faf6ee', '#0e1524'), (color, surface) => {
      expect(contrastRatio(toVisibleColor(color, surface), surface)).toBeGreaterThanOrEqual(3)
    }),
  )
  expect(toVisibleColor('#3498db', '#0e1524')).toBe('#3498db')
  expect(toVisibleColor('#8e44ad', '#faf6ee')).toBe('#8e44ad')
})

test('the contrast ratio follows WCAG', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrastRatio('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

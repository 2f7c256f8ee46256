import { expect, test } from 'vitest'
import { separateStyles } from './separate-styles.ts'

test('each different style becomes one rule, and the elements name it', () => {
  expect(
    separateStyles(
      '<p style="color:#fff">a</p><p style="color:#fff">b</p><p style="--x:light-dark(#1, #2)">',
    ),
  ).toEqual({
    html: '<p data-style="1">a</p><p data-style="1">b</p><p data-style="2">',
    css: '[data-style="1"]{color:#fff}[data-style="2"]{--x:light-dark(#1, #2)}',
  })
})

test.each(['red}body{display:none', '&quot;&lt;/style&gt;', 'url(https://spam.example/x)', '\\3c style'])(
  'a style that could say more than the looks of its element (%s) is left out',
  (style) => {
    expect(separateStyles(`<p style="${style}">a</p>`)).toEqual({ html: '<p>a</p>', css: '' })
  },
)

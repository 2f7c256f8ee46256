// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { TextWithPhoneLinks } from './phone-text.tsx'

const WORK = { typed: '0660 123456', dials: '+43660123456' }
const HOME = { typed: '01 234567 ext. 8', dials: '+431234567;ext=8' }

test.each([
  ['one number', '0660 123456', [WORK]],
  ['words around two numbers', 'Work: 0660 123456 (home 01 234567 ext. 8)', [WORK, HOME]],
  ['nothing that is a number', 'please write', []],
  ['the same number twice', '0660 123456/0660 123456', [WORK, WORK]],
])('a phone field with %s is shown as it was typed, and its numbers are links', (_what, phone, numbers) => {
  const { container } = render(<TextWithPhoneLinks phone={phone} numbers={numbers} linkClass="" />)
  expect(container.textContent).toBe(phone)
  const links = screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual(numbers.map(({ typed, dials }) => [typed, `tel:${dials}`]))
})

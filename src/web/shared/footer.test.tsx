// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { makeOwner } from '#web/app/testing/make-records.ts'
import { Footer } from './footer.tsx'

afterEach(cleanup)

test.each([
  ['a visitor', null, ['Home /', 'Pricing /pricing', 'Login /login', 'Get Started /register']],
  ['an owner', makeOwner(), ['Home /', 'Pricing /pricing', 'Dashboard /dashboard', 'Profile /profile']],
  ['nobody known yet', undefined, ['Home /', 'Pricing /pricing']],
])('the foot has the Quick Links of %s, and no page that does not exist', (_who, owner, links) => {
  render(<Footer owner={owner} />)
  const quickLinks = within(screen.getByRole('navigation', { name: 'Quick Links' })).getAllByRole('link')
  expect(quickLinks.map((link) => `${link.textContent} ${link.getAttribute('href')}`)).toEqual(links)
  expect(screen.getAllByRole('link')).toHaveLength(links.length)
})

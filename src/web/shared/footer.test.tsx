// @vitest-environment happy-dom
import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeSitePageData, OPERATOR_WITHOUT_DETAILS } from '#tests/support/make-site.ts'
import { makeOwner } from '#web/testing/make-records.ts'
import { Footer } from './footer.tsx'

const EVERYBODY = ['Home /', 'Pricing /pricing', 'About /about', 'Contact /contact']

test.each([
  ['a visitor', null, [...EVERYBODY, 'Login /login', 'Get Started /register']],
  ['an owner', makeOwner(), [...EVERYBODY, 'Dashboard /dashboard', 'Profile /profile']],
  ['nobody known yet', undefined, EVERYBODY],
])('the foot has the Quick Links of %s and the Legal links', (_who, owner, links) => {
  render(<Footer owner={owner} site={makeSitePageData()} />)
  expect(linksOf('Quick Links')).toEqual(links)
  expect(linksOf('Legal')).toEqual(['Privacy /privacy', 'Terms /terms', 'Cookies /cookies'])
})

test.each(['invited', 'closed'] as const)(
  'where registration is %s, the foot leads visitors to the login only',
  (registration) => {
    render(<Footer owner={null} site={makeSitePageData({ registration })} />)
    expect(linksOf('Quick Links')).toEqual([...EVERYBODY, 'Login /login'])
  },
)

test('the foot says who runs the installation and how to reach them', () => {
  render(<Footer owner={null} site={makeSitePageData()} />)
  const contact = within(screen.getByRole('region', { name: 'Contact' }))
  for (const text of ['Harbour Software', '12 Quay Street', 'Bath BA1 2AB'])
    expect(contact.getByText(text)).toBeTruthy()
  expect(contact.getByRole('link', { name: '+44 20 7946 0123' }).getAttribute('href')).toBe(
    'tel:+442079460123',
  )
  expect(contact.getByRole('link', { name: 'desk@harbour.example' }).getAttribute('href')).toBe(
    'mailto:desk@harbour.example',
  )
})

test.each([
  [true, 'This is a trial site. Its operator hasn’t given a name yet.'],
  [false, 'The operator of this site hasn’t given a name yet.'],
])('where the operator is unknown (a trial: %s) the foot says so and invents nobody', (sandbox, sentence) => {
  render(<Footer owner={null} site={makeSitePageData({ operator: OPERATOR_WITHOUT_DETAILS, sandbox })} />)
  const contact = screen.getByRole('region', { name: 'Contact' })
  expect(contact.textContent).toBe(`Contact${sentence}`)
})

function linksOf(name: string): string[] {
  const links = within(screen.getByRole('navigation', { name })).getAllByRole('link')
  return links.map((link) => `${link.textContent} ${link.getAttribute('href')}`)
}

// @vitest-environment happy-dom
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Owner } from '#contract/accounts/sessions.ts'
import { BookingNavigation } from './booking-navigation.tsx'
import { Navigation } from './navigation.tsx'

const OWNER: Owner = {
  id: '00000000-0000-4000-8000-000000000001',
  email: 'nora@example.com',
  first_name: 'Nora',
  last_name: 'Lind',
  full_name: 'Nora Lind',
  avatar_url: null,
}
const EVERYBODY = ['Home /', 'Pricing /pricing', 'About /about', 'Contact /contact']
const SIGNED_OUT = [...EVERYBODY, 'Login /login', 'Get Started /register']
const SIGNED_IN = [...EVERYBODY, 'Dashboard /dashboard', 'Profile /profile']

test('a visitor finds Home, Pricing, About, Contact, Login and Get Started', () => {
  render(<Navigation canRegister owner={null} onSignOut={() => {}} />)
  expect(linksOf('Main')).toEqual(SIGNED_OUT)
  expect(screen.queryByRole('button', { name: 'Sign Out' })).toBeNull()
})

test('a visitor who cannot register finds the login in the place of Get Started', () => {
  render(<Navigation canRegister={false} owner={null} onSignOut={() => {}} />)
  expect(linksOf('Main')).toEqual([...EVERYBODY, 'Login /login'])
})

test('an owner finds Home, Pricing, About, Contact, Dashboard, Profile, the theme and the way out', async () => {
  let signedOut = 0
  render(<Navigation canRegister owner={OWNER} onSignOut={() => signedOut++} />)
  expect(linksOf('Main')).toEqual(SIGNED_IN)
  expect(screen.getByRole('button', { name: /^Theme/ })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Sign Out' }))
  expect(signedOut).toBe(1)
})

test('until the session is known, neither Login nor Dashboard is offered', () => {
  render(<Navigation canRegister owner={undefined} onSignOut={() => {}} />)
  expect(linksOf('Main')).toEqual(EVERYBODY)
  expect(screen.queryByRole('button', { name: 'Sign Out' })).toBeNull()
})

test.each([
  [null, SIGNED_OUT],
  [OWNER, SIGNED_IN],
])('the mobile menu opens, mirrors the links, and closes again', async (owner, links) => {
  render(<Navigation canRegister owner={owner} onSignOut={() => {}} />)
  expect(screen.queryByRole('navigation', { name: 'Menu' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Open menu', expanded: false }))
  expect(linksOf('Menu')).toEqual(links)
  await userEvent.click(screen.getByRole('button', { name: 'Close menu', expanded: true }))
  expect(screen.queryByRole('navigation', { name: 'Menu' })).toBeNull()
})

test('Escape closes the mobile menu and gives the focus back to its button', async () => {
  render(<Navigation canRegister owner={OWNER} onSignOut={() => {}} />)
  await userEvent.click(screen.getByRole('button', { name: 'Open menu' }))
  within(screen.getByRole('navigation', { name: 'Menu' }))
    .getByRole('link', { name: 'Profile' })
    .focus()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('navigation', { name: 'Menu' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open menu' }))
})

test('a press elsewhere closes the mobile menu, one inside does not', async () => {
  render(
    <>
      <Navigation canRegister owner={OWNER} onSignOut={() => {}} />
      <main>The page</main>
    </>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Open menu' }))
  await userEvent.click(within(screen.getByRole('navigation', { name: 'Menu' })).getByRole('button'))
  expect(screen.getByRole('navigation', { name: 'Menu' })).toBeTruthy()
  await userEvent.click(screen.getByText('The page'))
  expect(screen.queryByRole('navigation', { name: 'Menu' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open menu' }))
})

test('another page closes the mobile menu, however one got there', async () => {
  const { rerender } = render(<Navigation canRegister owner={OWNER} onSignOut={() => {}} />)
  await userEvent.click(screen.getByRole('button', { name: 'Open menu' }))
  history.pushState({}, '', '/dashboard')
  rerender(<Navigation canRegister owner={OWNER} onSignOut={() => {}} />)
  expect(screen.queryByRole('navigation', { name: 'Menu' })).toBeNull()
})

test('a router may follow the links itself', async () => {
  const followed: string[] = []
  render(
    <Navigation
      canRegister
      owner={OWNER}
      onSignOut={() => {}}
      onNavigate={(path) => {
        followed.push(path)
        return true
      }}
    />,
  )
  await userEvent.click(screen.getByRole('link', { name: 'Dashboard' }))
  expect(followed).toEqual(['/dashboard'])
})

test('on the booking pages there is a link home and the theme, and nothing else', () => {
  render(<BookingNavigation />)
  expect(linksOf('Main')).toEqual(['Home /'])
  expect(within(screen.getByRole('navigation')).getAllByRole('button')).toHaveLength(1)
})

/** Returns the texts and addresses of the links in a navigation, without the logo. */
function linksOf(name: string): string[] {
  return within(screen.getByRole('navigation', { name }))
    .getAllByRole('link')
    .filter((link) => link.getAttribute('aria-label') === null)
    .map((link) => `${link.textContent} ${link.getAttribute('href')}`)
}

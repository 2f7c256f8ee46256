// @vitest-environment happy-dom

import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { INFORMATION_PAGES } from '#contract/information/information-pages.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { makeSitePageData } from '#tests/support/make-site.ts'
import { InformationPage } from '#web/areas/information/information-page.tsx'
import { SiteApp } from './site-app.tsx'

let answers: Record<string, () => Response>

beforeEach(() => {
  answers = { '/api/auth/session': () => Response.json({ user: null }) }
  vi.stubGlobal('fetch', async (path: string) => answers[path]?.() ?? Response.error())
})
test('the home page says what the product is and leads to an account, the login and the demo', () => {
  render(<SiteApp path="/" site={makeSitePageData()} />)
  expect(screen.getAllByRole('heading').map((heading) => heading.textContent)).toEqual(
    expect.arrayContaining([
      'Why Choose Meridian',
      'Smart Scheduling',
      'Time Optimization',
      'Team Coordination',
      'How It Works',
      'Step 1: Create Your Account',
      'Step 2: Share Your Booking Link',
      'Step 3: Get Booked',
    ]),
  )
  const main = screen.getByRole('main')
  const links = [...main.querySelectorAll('a')].map(
    (link) => `${link.textContent} ${link.getAttribute('href')}`,
  )
  expect(links).toEqual([
    'Get Started /register',
    'Log in /login',
    'Get Started for Free /register',
    'View Demo /dashboard',
  ])
})

test.each(['invited', 'closed'] as const)(
  'where registration is %s, no link of the home page leads to a new account',
  async (registration) => {
    const { container } = render(<SiteApp path="/" site={makeSitePageData({ registration })} />)
    const main = within(screen.getByRole('main'))
    expect(main.getAllByRole('link', { name: 'Log in' }).map((link) => link.getAttribute('href'))).toEqual([
      '/login',
      '/login',
    ])
    expect(main.queryByText(/^Free plan/)).toBeNull()
    await within(screen.getByRole('navigation', { name: 'Quick Links' })).findByRole('link', {
      name: 'Login',
    })
    expect(container.querySelectorAll('[href^="/register"]')).toHaveLength(0)
  },
)

test('the first screen says what it costs and has a booking card to try', () => {
  render(<SiteApp path="/" site={makeSitePageData()} />)
  const main = within(screen.getByRole('main'))
  expect(main.getByText('Free plan. No credit card required. Cancel anytime.')).toBeTruthy()
  expect(main.getByRole('region', { name: 'Nora Lindqvist' })).toBeTruthy()
})

test('an owner who is signed in is led to the dashboard, and not to another account', async () => {
  answers['/api/auth/session'] = () => Response.json({ user: { id: '1', full_name: 'Nora Lind' } })
  render(<SiteApp path="/" site={makeSitePageData()} />)
  const main = within(screen.getByRole('main'))
  const ways = await main.findAllByRole('link', { name: 'Go to dashboard' })
  expect(ways.map((way) => way.getAttribute('href'))).toEqual(['/dashboard', '/dashboard'])
  expect(main.getAllByRole('link')).toHaveLength(2)
})

test('each information page has its title and its text, which is downloaded when it is opened', async () => {
  for (const { label, path } of Object.values(INFORMATION_PAGES)) {
    render(<SiteApp path={path} site={makeSitePageData()} InformationPage={InformationPage} />)
    expect(await screen.findByRole('heading', { level: 1, name: new RegExp(label) })).toBeTruthy()
    expect(document.title).toBe(`${label} · Meridian`)
    cleanup()
  }
})

test.each([
  ['/no/such-page', '/no/such-page'],
  ['/caf%C3%A9%20noir/%3Cb%3E', '/café noir/<b>'],
  ['/%E0%A4%A', '/%E0%A4%A'],
])('the path %s, which is no page, is shown as %s, with the way home', (path, shown) => {
  render(<SiteApp path={path} site={makeSitePageData()} InformationPage={InformationPage} />)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Page Not Found')
  expect(screen.getByText(shown)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Go Home' }).getAttribute('href')).toBe('/')
  expect(document.title).toBe('Page Not Found · Meridian')
})

test('signing out ends the session, removes the flag and goes home', async () => {
  const leave = vi.spyOn(location, 'assign').mockReturnValue()
  localStorage.setItem('isLoggedIn', 'true')
  const asked: string[] = []
  answers['/api/auth/session'] = () => Response.json({ user: { id: '1', full_name: 'Nora Lind' } })
  answers['/api/auth/sign-out'] = () => {
    asked.push('sign-out')
    return Response.json({ ok: true })
  }
  render(<SiteApp path="/" site={makeSitePageData()} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Sign Out' }))
  await waitFor(() => expect(leave.mock.calls).toEqual([['/']]))
  expect(asked).toEqual(['sign-out'])
  expect(localStorage.getItem('isLoggedIn')).toBeNull()
})

test('when signing out fails, the sentence is shown and the flag stays', async () => {
  localStorage.setItem('isLoggedIn', 'true')
  answers['/api/auth/session'] = () => Response.json({ user: { id: '1', full_name: 'Nora Lind' } })
  answers['/api/auth/sign-out'] = () => new Response(null, { status: 500 })
  render(<SiteApp path="/" site={makeSitePageData()} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Sign Out' }))
  expect((await screen.findByRole('alert')).textContent).toBe(PROBLEMS['server.unexpected'].title)
  expect(localStorage.getItem('isLoggedIn')).toBe('true')
})

test('when the session cannot be asked for, the page is the one a visitor sees', async () => {
  answers = {}
  render(<SiteApp path="/" site={makeSitePageData()} />)
  for (const name of ['Main', 'Quick Links']) {
    const part = within(screen.getByRole('navigation', { name }))
    expect(await part.findByRole('link', { name: 'Login' })).toBeTruthy()
  }
})

test('when the session cannot be asked for, somebody who had logged in is not offered the login', async () => {
  localStorage.setItem('isLoggedIn', 'true')
  answers = {}
  render(<SiteApp path="/" site={makeSitePageData()} />)
  await new Promise((settle) => setTimeout(settle, 10))
  expect(screen.queryByRole('link', { name: 'Login' })).toBeNull()
})

test('a sign-in and a sign-out in another tab are noticed, in the head and at the foot', async () => {
  render(<SiteApp path="/" site={makeSitePageData()} />)
  const foot = within(screen.getByRole('navigation', { name: 'Quick Links' }))
  await foot.findByRole('link', { name: 'Login' })
  answers['/api/auth/session'] = () => Response.json({ user: { id: '1', full_name: 'Nora Lind' } })
  window.dispatchEvent(new StorageEvent('storage', { key: 'isLoggedIn', newValue: 'true' }))
  await foot.findByRole('link', { name: 'Dashboard' })
  expect(screen.getByRole('button', { name: 'Sign Out' })).toBeTruthy()
  answers['/api/auth/session'] = () => Response.json({ user: null })
  window.dispatchEvent(new Event('focus'))
  await foot.findByRole('link', { name: 'Get Started' })
  expect(screen.queryByRole('button', { name: 'Sign Out' })).toBeNull()
})

test('an owner who is offline for a moment stays signed in on the page', async () => {
  answers['/api/auth/session'] = () => Response.json({ user: { id: '1', full_name: 'Nora Lind' } })
  render(<SiteApp path="/" site={makeSitePageData()} />)
  await screen.findByRole('button', { name: 'Sign Out' })
  answers = {}
  window.dispatchEvent(new Event('focus'))
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(screen.getByRole('button', { name: 'Sign Out' })).toBeTruthy()
})

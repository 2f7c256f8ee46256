// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { Toaster } from '#web/ui/toast.tsx'
import { PricingPage } from './pricing-page.tsx'

afterEach(cleanup)

test('there are four plans with their price and what they give', () => {
  render(<PricingPage owner={null} />)
  const plans = screen
    .getAllByRole('heading', { level: 2 })
    .map((heading) => heading.closest('li')?.textContent)
  expect(plans.slice(0, 4)).toEqual([
    expect.stringMatching(/Free.*€0\.00 per month.*1 calendar/),
    expect.stringMatching(/Professional.*€9\.99 per month.*3 calendars.*Custom branding.*Custom domains/),
    expect.stringMatching(/Business.*€19\.99 per month.*5 calendars.*Priority support.*PayPal/),
    expect.stringMatching(/Enterprise.*Coming soon.*Unlimited calendars/),
  ])
})

test('a visitor who wants a plan is asked to log in, with the way there', async () => {
  render(
    <>
      <PricingPage owner={null} />
      <Toaster />
    </>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe: Professional' }))
  expect(screen.getByRole('status').textContent).toContain('Please log in to subscribe')
  expect(screen.getByRole('button', { name: 'Log in' })).toBeTruthy()
})

// @vitest-environment happy-dom

import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { RETENTION_DAYS } from '#contract/shared/retention.ts'
import { errorResponse, FakeBookingApi, HOLD_RELEASED_RESPONSE } from '#tests/support/fake-booking-api.ts'
import { getToastText } from '#tests/support/open-booking-page.tsx'
import { Toaster } from '#web/ui/toaster.tsx'
import { CancellationRequestPage } from './cancellation-page.tsx'

const LINK = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR'
const STOPS = '/api/public/email-stops'
const ANSWERS = '/api/public/email-answers'

let api: FakeBookingApi
let bodies: unknown[]

beforeEach(() => {
  api = new FakeBookingApi()
  for (const path of [STOPS, ANSWERS]) api.overrides.set(path, HOLD_RELEASED_RESPONSE)
  bodies = []
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    bodies.push(JSON.parse(String(init.body)))
    return api.fetch(path, init)
  })
})
afterEach(() => {
  cleanup()
  history.replaceState(null, '', '/')
  vi.unstubAllGlobals()
})

test('whoever did not book stops emails with one button, and can allow them again', async () => {
  open(`#email=${LINK}`)
  expect(api.paths).toEqual([])
  // The second click of a double click lands on the button that replaces "Stop emails". It must have no effect.
  await userEvent.dblClick(screen.getByRole('button', { name: 'Stop emails' }))
  expect(await screen.findByRole('heading', { name: 'Emails stopped' })).toBeTruthy()
  expect(api.paths).toEqual([STOPS])
  expect(bodies).toEqual([{ link: LINK }])
  await userEvent.click(screen.getByRole('button', { name: 'Allow emails again' }))
  expect(await screen.findByRole('heading', { name: 'Emails allowed' })).toBeTruthy()
  expect(api.paths).toEqual([STOPS, ANSWERS])
})

test('what was done is heard, and the page promises a stop as long as it is kept', async () => {
  expect(RETENTION_DAYS.emailRecipient).toBe(365)
  open(`#email=${LINK}`)
  await userEvent.click(screen.getByRole('button', { name: 'Stop emails' }))
  expect(await screen.findByText(/^For a year/)).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Emails stopped' }))
})

test('a refusal is told in a toast, and the button stays', async () => {
  api.overrides.set(STOPS, errorResponse('email_link.invalid'))
  open('#email=short')
  await userEvent.click(screen.getByRole('button', { name: 'Stop emails' }))
  await waitFor(() => expect(getToastText()).toBe(PROBLEMS['email_link.invalid'].title))
  expect(screen.getByRole('button', { name: 'Stop emails' })).toBeTruthy()
})

test('a page that no email led to says so', () => {
  open('')
  expect(screen.getByRole('heading', { name: 'Link incomplete' })).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

function open(hash: string) {
  history.replaceState(null, '', `/cancel/emails${hash}`)
  render(
    <>
      <CancellationRequestPage appointmentId="emails" />
      <Toaster />
    </>,
  )
}

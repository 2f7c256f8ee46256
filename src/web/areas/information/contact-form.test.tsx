// @vitest-environment happy-dom

import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { ContactForm } from './contact-form.tsx'

const SEND = 'POST /api/public/contact-messages'

test('a message is sent once, however often the button is pressed, and the page says where the answer comes', async () => {
  const held = heldResponse(undefined)
  const api = stubApi({ [SEND]: held.answer })
  render(<ContactForm />)
  await fillIn()
  await press('Send message')
  await press('Sending...')
  held.release()
  const notice = await screen.findByRole('status')
  expect(notice.textContent).toContain('Your message is on its way.')
  expect(notice.textContent).toContain('We’ll reply to alex@mail.example.')
  expect(document.activeElement?.contains(notice)).toBe(true)
  expect(api.to(SEND).map(({ body }) => body)).toEqual([
    {
      name: 'Alex Morgan',
      email: 'alex@mail.example',
      subject: '',
      message: 'Can you help me?',
      website: '',
    },
  ])
})

test('whoever writes another message does not type their name again', async () => {
  stubApi({ [SEND]: undefined })
  render(<ContactForm />)
  await fillIn()
  await press('Send message')
  await press('Write another message')
  expect(textIn('Full Name')).toBe('Alex Morgan')
  expect(textIn('Message')).toBe('')
})

test('what is missing is said at its field, the first one has the focus, and nothing is sent', async () => {
  const api = stubApi({})
  render(<ContactForm />)
  await press('Send message')
  expect(screen.getByText(PROBLEMS['contact.name_required'].title)).toBeTruthy()
  expect(screen.getByText(PROBLEMS['contact.email_required'].title)).toBeTruthy()
  expect(screen.getByText('Please write a message.')).toBeTruthy()
  expect(document.activeElement).toBe(field('Full Name'))
  expect(api.sent).toEqual([])
})

test('a failure is told, what was written stays, and the next try is as good as the first', async () => {
  const api = stubApi({})
  render(<ContactForm />)
  await fillIn()
  await press('Send message')
  expect((await screen.findByRole('alert')).textContent).toBe(
    'You’re offline. Check your connection and try again.Everything you wrote is still here.',
  )
  expect(textIn('Message')).toBe('Can you help me?')
  api.answer(SEND, undefined)
  await press('Send message')
  expect(await screen.findByRole('status')).toBeTruthy()
})

test('what the server finds wrong is shown at its field', async () => {
  const title = PROBLEMS['auth.invalid_email'].title
  stubApi({ [SEND]: errorResponse('auth.invalid_email', [{ path: 'email', message: title }]) })
  render(<ContactForm />)
  await fillIn()
  await press('Send message')
  await screen.findByRole('alert')
  expect(document.activeElement).toBe(field('Email Address'))
  expect(field('Email Address').getAttribute('aria-invalid')).toBe('true')
})

test('the field for programs is neither seen nor reached by people', () => {
  render(<ContactForm />)
  expect(screen.getAllByRole('textbox')).toHaveLength(4)
  expect(document.querySelector('[name="website"]')?.getAttribute('tabindex')).toBe('-1')
})

async function fillIn(): Promise<void> {
  await enterText(userEvent, field('Full Name'), 'Alex Morgan')
  await enterText(userEvent, field('Email Address'), 'alex@mail.example')
  await enterText(userEvent, field('Message'), 'Can you help me?')
}

function press(name: string): Promise<void> {
  return userEvent.click(screen.getByRole('button', { name }))
}

function field(name: string): HTMLInputElement {
  return screen.getByRole('textbox', { name: new RegExp(`^${name}`) })
}

function textIn(name: string): string {
  return field(name).value
}

// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react'
import { type ComponentProps, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Mail } from '#contract/mailbox.ts'
import { eventually } from '#tests/support/eventually.ts'
import { renderPart } from '#web/testing/render-part.tsx'
import { refuse, stubApi } from '#web/testing/stub-api.ts'
import { stubFrames } from '#web/testing/stub-frames.ts'
import { MailGalleryPage } from './mail-gallery-page.tsx'
import { MailboxPage } from './mailbox-page.tsx'

const LIST = 'GET /api/sandbox/mails'
const MAIL: Mail = {
  id: '00000000-0000-4000-8000-000000000901',
  to: 'ada@example.org',
  from: 'Meridian <no-reply@localhost>',
  reply_to: 'grey@example.org',
  subject: 'Your appointment',
  created_at: '2026-11-20T10:02:00Z',
  message_id: '<1@localhost>',
  headers: { 'Auto-Submitted': 'auto-generated' },
  text: 'See you on December 1.',
  html: '<p>See you on December 1.</p>',
  attachments: [{ filename: 'appointment.ics', content_type: 'text/calendar', content: 'BEGIN:VCALENDAR' }],
}

beforeEach(stubFrames)

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('mails are listed with subject and addressee, and one is read as HTML in a frame without rights', async () => {
  stubApi({ [LIST]: { mails: [MAIL] }, [`GET /api/sandbox/mails/${MAIL.id}`]: MAIL })
  const { user } = renderMailbox()
  const item = await screen.findByRole('button', { name: /Your appointment/ })
  expect(within(item).getByText('ada@example.org')).toBeDefined()
  await user.click(item)
  const frame = await screen.findByTitle('HTML of “Your appointment”')
  expect(frame.getAttribute('src')).toBe(`/api/sandbox/mails/${MAIL.id}/html`)
  expect(frame.getAttribute('sandbox')).toBe('allow-popups allow-popups-to-escape-sandbox')
  expect(screen.getByText('grey@example.org')).toBeDefined()
})

test('a mail that is chosen far down the page opens in sight', async () => {
  stubApi({ [LIST]: { mails: [MAIL] }, [`GET /api/sandbox/mails/${MAIL.id}`]: MAIL })
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, -900, 700, 1200))
  const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue()
  const { user } = renderMailbox()
  await user.click(await screen.findByRole('button', { name: /Your appointment/ }))
  expect(scroll.mock.contexts).toContain(screen.getByRole('article', { name: 'Email' }))
})

test('addresses keep their order of characters in a page from right to left', async () => {
  stubApi({ [LIST]: { mails: [MAIL] }, [`GET /api/sandbox/mails/${MAIL.id}`]: MAIL })
  renderMailbox(MAIL.id)
  expect((await screen.findByText('Meridian <no-reply@localhost>')).dir).toBe('ltr')
})

test('the text, the headers and the attachments are other views of the same mail', async () => {
  stubApi({ [LIST]: { mails: [MAIL] }, [`GET /api/sandbox/mails/${MAIL.id}`]: MAIL })
  const { user } = renderMailbox(MAIL.id)
  await user.click(await screen.findByRole('tab', { name: 'Text' }))
  expect(await screen.findByText('See you on December 1.')).toBeDefined()
  await user.click(screen.getByRole('tab', { name: 'Headers' }))
  expect(screen.getByText('<1@localhost>')).toBeDefined()
  expect(screen.getByText('auto-generated')).toBeDefined()
  await user.click(screen.getByRole('tab', { name: 'Attachments (1)' }))
  expect(await screen.findByText('BEGIN:VCALENDAR')).toBeDefined()
  const download = screen.getByRole('link', { name: 'Download' })
  expect(download.getAttribute('download')).toBe('appointment.ics')
  expect(download.getAttribute('href')).toMatch(/^blob:/)
})

test('on a phone there is a way back to the list', async () => {
  stubApi({ [LIST]: { mails: [MAIL] }, [`GET /api/sandbox/mails/${MAIL.id}`]: MAIL })
  const { user } = renderMailbox(MAIL.id)
  await user.click(await screen.findByRole('button', { name: 'All emails' }))
  expect(await screen.findByText('Choose an email to read it.')).toBeDefined()
})

test('new mails arrive while one looks', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const api = stubApi({ [LIST]: { mails: [] } })
  renderMailbox()
  expect(await screen.findByText('No emails yet')).toBeDefined()
  api.answer(LIST, { mails: [MAIL] })
  await vi.advanceTimersByTimeAsync(3_100)
  expect(await screen.findByRole('button', { name: /Your appointment/ })).toBeDefined()
})

test('when there is no mailbox it says so', async () => {
  stubApi({ [LIST]: refuse('request.not_found') })
  renderMailbox()
  expect(await screen.findByText('Failed to load emails')).toBeDefined()
})

test('the gallery shows every kind of message, narrow and wide, with another scene when that is chosen', async () => {
  const SAMPLES = 'GET /api/sandbox/mail-samples'
  const samples = [
    { id: 'reminder', title: 'Reminder', group: 'customer' },
    { id: 'owner-booking', title: 'New booking', group: 'owner' },
  ]
  stubApi({
    [SAMPLES]: { samples },
    [`${SAMPLES}/reminder`]: { ...MAIL, subject: 'A reminder' },
    [`${SAMPLES}/owner-booking`]: MAIL,
  })
  const { user } = renderGallery()
  expect(await screen.findByTitle('HTML of “A reminder”')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'New booking' }))
  const frame = await screen.findByTitle('HTML of “Your appointment”')
  expect(frame.getAttribute('src')).toBe('/api/sandbox/mail-samples/owner-booking/html?scene=everyday')
  expect(frame.className).toContain('w-[640px]')
  await user.click(screen.getByRole('button', { name: 'Narrow' }))
  expect(frame.className).toContain('w-[375px]')
  await user.click(screen.getByRole('combobox', { name: 'Shown with' }))
  await user.click(await screen.findByRole('option', { name: 'Right-to-left names' }))
  await eventually(() =>
    expect(screen.getByTitle('HTML of “Your appointment”').getAttribute('src')).toContain(
      'scene=right_to_left',
    ),
  )
})

function renderGallery() {
  type Choice = Pick<ComponentProps<typeof MailGalleryPage>, 'sampleId' | 'scene'>
  function Gallery() {
    const [choice, setChoice] = useState<Choice>({ sampleId: undefined, scene: undefined })
    return <MailGalleryPage {...choice} onChoose={setChoice} />
  }
  return renderPart(<Gallery />)
}

function renderMailbox(initial?: string) {
  function Mailbox() {
    const [selected, setSelected] = useState(initial)
    return <MailboxPage selectedId={selected} onSelect={setSelected} />
  }
  return renderPart(<Mailbox />)
}

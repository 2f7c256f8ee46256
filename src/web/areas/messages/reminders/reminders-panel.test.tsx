// @vitest-environment happy-dom

import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { CALENDAR_ID, makeCalendar, makeOutlook } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { stubFrames } from '#web/testing/stub-frames.ts'
import { RemindersPanel } from './reminders-panel.tsx'

const READ = `GET /api/calendars/${CALENDAR_ID}`
const SAVE = `PATCH /api/calendars/${CALENDAR_ID}`
const OUTLOOK = `GET /api/calendars/${CALENDAR_ID}/outlook`
const SHOWN = makeCalendar().reminder_settings
const NEXT = {
  customer_name: 'Ada Lovelace',
  starts_at: '2026-12-01T09:30:00Z',
  time_zone: 'Europe/Paris',
  hour_cycle: 'h12',
} as const

beforeEach(() => {
  stubFrames()
  vi.useFakeTimers({ now: Date.parse('2026-11-21T15:42:10Z'), toFake: ['Date'] })
})

test('the page says when reminders are sent, and that none are where they are switched off', () => {
  stubApi({ [OUTLOOK]: makeOutlook() })
  renderPanel()
  expect(screen.getByText(/one reminder, 24 hours before their appointment\./)).toBeDefined()
  cleanup()
  renderComponent(
    <RemindersPanel calendar={makeCalendar({ reminder_settings: { ...SHOWN, enabled: false } })} />,
  )
  expect(screen.getByText('Reminders are off. Customers won’t be reminded.')).toBeDefined()
})

describe('saving', () => {
  test('sends what was changed together with what was shown of it, and says so', async () => {
    const changed = { enabled: false, hours: 48, subject: 'Soon', sender_email: 'maya@harbour.example' }
    const settings = { ...SHOWN, ...changed }
    const api = stubApi({ [OUTLOOK]: makeOutlook(), [SAVE]: makeCalendar({ reminder_settings: settings }) })
    const { user } = renderPanel()
    await user.click(screen.getByRole('switch', { name: 'Send reminders' }))
    await retype(user, /^Hours before/, '48')
    await retype(user, 'Subject', 'Soon')
    await retype(user, 'Sender email', 'maya@harbour.example')
    await save(user)
    expect(await screen.findByText('Reminder settings updated successfully')).toBeDefined()
    const { enabled, hours, subject, sender_email } = SHOWN
    const was = { enabled, hours, subject, sender_email }
    expect(api.to(SAVE).map(({ body }) => body)).toEqual([
      { reminder_settings: changed, was: { reminder_settings: was } },
    ])
  })

  test('pressed twice, it is done once', async () => {
    const held = heldResponse(makeCalendar())
    const api = stubApi({ [OUTLOOK]: makeOutlook(), [SAVE]: held.answer })
    const { user } = renderPanel()
    await retype(user, 'Subject', 'Soon')
    await save(user)
    await user.click(await screen.findByRole('button', { name: 'Saving...' }))
    held.release()
    await screen.findByText('Reminder settings updated successfully')
    expect(api.to(SAVE)).toHaveLength(1)
  })

  test('failed, it is named and what was typed stays', async () => {
    stubApi({ [OUTLOOK]: makeOutlook() })
    const { user } = renderPanel()
    await retype(user, 'Subject', 'Soon')
    await save(user)
    const sentence = 'You’re offline. Check your connection and try again.'
    expect(await screen.findByText(`Error updating reminder settings: ${sentence}`)).toBeDefined()
    expect(screen.getAllByText(sentence, { exact: false })).toHaveLength(1)
    expect(screen.getByLabelText('Subject')).toHaveProperty('value', 'Soon')
  })

  test('an error from the server is shown under its field', async () => {
    const remark = { path: 'reminder_settings.sender_email', message: PROBLEMS['auth.invalid_email'].title }
    stubApi({ [OUTLOOK]: makeOutlook(), [SAVE]: errorResponse('auth.invalid_email', [remark]) })
    const { user } = renderPanel()
    await retype(user, 'Sender email', 'maya@harbour.example')
    await save(user)
    await waitFor(() =>
      expect(screen.getByLabelText('Sender email').getAttribute('aria-invalid')).toBe('true'),
    )
    expect(screen.getByText(remark.message)).toBeDefined()
  })

  test.each([
    [/^Hours before/, '0', PROBLEMS['reminder.hours_out_of_range'].title],
    [/^Hours before/, '73', PROBLEMS['reminder.hours_out_of_range'].title],
    [/^Hours before/, '', PROBLEMS['reminder.hours_out_of_range'].title],
    ['Sender email', 'maya', PROBLEMS['auth.invalid_email'].title],
  ] as const)(
    'with %s as %j is refused when the field is left, and not sent',
    async (label, typed, sentence) => {
      const api = stubApi({ [OUTLOOK]: makeOutlook() })
      const { user } = renderPanel()
      await retype(user, label, typed)
      await user.tab()
      expect(await screen.findByText(sentence)).toBeDefined()
      await save(user)
      expect(api.to(SAVE)).toEqual([])
    },
  )

  test('changed in another window meanwhile, it says what is there now and wins when saved again', async () => {
    const stored = { ...SHOWN, hours: 12, enabled: false, sender_name: 'Cristina' }
    const api = stubApi({
      [OUTLOOK]: makeOutlook(),
      [SAVE]: errorResponse('request.changed_meanwhile'),
      [READ]: makeCalendar({ reminder_settings: stored }),
    })
    const { user } = renderPanel()
    await retype(user, 'Subject', 'Soon')
    await save(user)
    const sender = await screen.findByText(/^Sender name:/, { selector: 'dt' })
    expect(sender.nextSibling?.textContent).toBe('Cristina')
    expect(screen.getByText('Off', { selector: 'dd' })).toBeDefined()
    expect(screen.getByLabelText('Subject')).toHaveProperty('value', 'Soon')
    expect(screen.getByLabelText('Sender name')).toHaveProperty('value', 'Cristina')
    api.answer(SAVE, makeCalendar({ reminder_settings: { ...SHOWN, subject: 'Soon' } }))
    await save(user)
    await screen.findByText('Reminder settings updated successfully')
    expect(api.to(SAVE)[1]?.body).toEqual({
      reminder_settings: { subject: 'Soon' },
      was: { reminder_settings: { subject: stored.subject } },
    })
  })
})

describe('the placeholders', () => {
  test('are put where the cursor is', async () => {
    stubApi({ [OUTLOOK]: makeOutlook() })
    const { user } = renderPanel()
    await retype(user, 'Message', 'Dear , see you')
    const area = screen.getByLabelText<HTMLTextAreaElement>('Message')
    area.setSelectionRange(5, 5)
    await user.click(screen.getByRole('button', { name: 'Insert {customer_name}' }))
    expect(area.value).toBe('Dear {customer_name}, see you')
    expect(document.activeElement).toBe(area)
    expect(area.selectionStart).toBe('Dear {customer_name}'.length)
    await shows('Dear {customer_name}, see you')
  })

  test('that do not exist are pointed out and kept', async () => {
    const api = stubApi({ [OUTLOOK]: makeOutlook(), [SAVE]: makeCalendar() })
    const { user } = renderPanel()
    await retype(user, 'Message', 'Hi {{name}')
    expect(await screen.findByText('Not a placeholder')).toBeDefined()
    expect(screen.getByText('{name}')).toBeDefined()
    await shows('Hi {name}')
    await save(user)
    await waitFor(() =>
      expect(api.to(SAVE)[0]?.body).toMatchObject({ reminder_settings: { template: 'Hi {name}' } }),
    )
  })
})

test('what is no placeholder is pointed out under the field that has it', async () => {
  stubApi({ [OUTLOOK]: makeOutlook() })
  const { user } = renderPanel()
  await retype(user, 'Subject', 'For {{who}')
  const notice = await screen.findByText('{who}')
  expect(notice.compareDocumentPosition(screen.getByLabelText('Message'))).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  )
})

describe('the preview', () => {
  test('has the values of the next appointment, on its customer’s clock', async () => {
    stubApi({ [OUTLOOK]: makeOutlook({ future_appointments: 1, next_appointment: NEXT }) })
    const { user } = renderPanel()
    expect(await screen.findByText('Your next appointment')).toBeDefined()
    expect(within(mail()).getByText('Ada Lovelace')).toBeDefined()
    await retype(user, 'Subject', '{{date} at {{time}')
    expect(within(mail()).getByText('Tuesday, December 1, 2026 at 10:30 AM (CET)')).toBeDefined()
    expect(
      screen.getByText('24 hours before this appointment is 9:30 AM on Monday, November 30, 2026.'),
    ).toBeDefined()
  })

  test('without an appointment has sample values, and says so', async () => {
    stubApi({ [OUTLOOK]: makeOutlook() })
    const { user } = renderPanel()
    expect(screen.getByText('Sample values')).toBeDefined()
    expect(within(mail()).getByText('Alex Morgan')).toBeDefined()
    await retype(user, 'Subject', '{{date} at {{time}')
    expect(within(mail()).getByText('Sunday, November 22, 2026 at 10:00 AM (GMT)')).toBeDefined()
  })

  test('is the mail itself, as the server makes it, and nothing in it can be pressed', async () => {
    stubApi({ [OUTLOOK]: makeOutlook() })
    const { user } = renderPanel()
    const frame = screen.getByTitle('The reminder as it will arrive')
    expect(frame.getAttribute('sandbox')).toBe('')
    await shows(SHOWN.template)
    await user.clear(screen.getByLabelText('Message'))
    await user.click(screen.getByLabelText('Message'))
    await user.paste('日'.repeat(1_000))
    expect(await screen.findByText(/too long to preview/)).toBeDefined()
  })

  test('says where replies go: to the account of the owner, until another address is typed', async () => {
    stubApi({ [OUTLOOK]: makeOutlook() })
    const { user } = renderPanel()
    expect(within(mail()).getByText('The address of your account')).toBeDefined()
    await retype(user, 'Sender email', 'maya@harbour.example')
    expect(within(mail()).getByText('maya@harbour.example')).toBeDefined()
    await user.clear(screen.getByLabelText('Sender email'))
    expect(within(mail()).getByText('The address of your account')).toBeDefined()
  })

  test('follows every keystroke, and shows the default of what is empty', async () => {
    stubApi({ [OUTLOOK]: makeOutlook() })
    const { user } = renderPanel()
    await retype(user, 'Subject', '{{calendar_name}: soon')
    expect(within(mail()).getByText('Dr. Grey: soon')).toBeDefined()
    await user.clear(screen.getByLabelText('Subject'))
    expect(within(mail()).getByText('Reminder: Your upcoming appointment')).toBeDefined()
    await retype(user, 'Sender name', 'Maya')
    expect(within(mail()).getByText('Maya')).toBeDefined()
    await user.click(screen.getByRole('switch', { name: 'Send reminders' }))
    expect(screen.getByText('Reminders are off.')).toBeDefined()
  })
})

function renderPanel() {
  return renderComponent(<RemindersPanel calendar={makeCalendar()} />)
}

type User = ReturnType<typeof renderPanel>['user']

/** Waits until the iframe requests the email with this template. */
async function shows(template: string): Promise<void> {
  const address = `/api/calendars/${CALENDAR_ID}/reminder-preview?${new URLSearchParams({ template })}`
  const frame = screen.getByTitle('The reminder as it will arrive')
  await waitFor(() => expect(frame.getAttribute('src')).toBe(address))
}

function mail(): HTMLElement {
  return screen.getByRole('article', { name: 'Reminder' })
}

async function retype(user: User, label: string | RegExp, text: string): Promise<void> {
  await user.clear(screen.getByLabelText(label))
  if (text !== '') await user.type(screen.getByLabelText(label), text)
}

async function save(user: User): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Save reminder settings' }))
}

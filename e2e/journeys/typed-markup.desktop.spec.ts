import type { APIRequestContext } from '@playwright/test'
import { findLink, listMails, waitForMail } from '#e2e/support/mailbox.ts'
import {
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

/**
 * Text that tries every way to break out into markup. If any part of it runs or is blocked, the browser logs an error, which
 * fails the test.
 */
const MARKUP = `"><img src=/planted onerror=planted()>'</title><script>planted()</script>`
/** The longest such text that fits into the shortest fields. */
const SHORT_MARKUP = '"><img src=/planted onerror=planted()>'
const PLANTED = 'img[src*=planted], script:text("planted()"), [onerror]'

test('markup that people type or that an address carries is shown as text, on every page and in every mail', async ({
  page,
  allowConsole,
}) => {
  const { request } = page.context()
  const owner = { ...makePerson('Ida'), name: MARKUP }
  const customer = { email: makePerson('Grace').email, name: MARKUP, phone: SHORT_MARKUP }
  await signUp(page, owner)
  const calendar = await createCalendar(page, {
    name: MARKUP,
    description: MARKUP,
    category: SHORT_MARKUP,
    default_appointment_title: MARKUP,
  })
  await send(request, 'patch', '/api/profile', {
    first_name: MARKUP,
    last_name: MARKUP,
    phone: SHORT_MARKUP,
    bio: MARKUP,
  })
  await send(request, 'patch', `/api/calendars/${calendar.id}`, {
    professional_first_name: MARKUP,
    professional_last_name: MARKUP,
    reminder_settings: { template: MARKUP, sender_name: MARKUP, subject: MARKUP },
  })
  await send(request, 'post', `/api/calendars/${calendar.id}/locations`, { name: MARKUP, address: MARKUP })
  const type = await createAppointmentType(page, calendar, { name: MARKUP, description: MARKUP })
  const date = nextTuesday()
  const booking = await send(request, 'post', `/api/public/calendars/${calendar.slug}/appointments`, {
    appointment_type_id: type.id,
    starts_at: toInstant(date, '13:00'),
    title: MARKUP,
    description: MARKUP,
    customer,
  })
  await send(request, 'post', `/api/public/appointments/${booking.id}/cancellation-request`, {})

  const shows = async (path: string, text: string | null) => {
    await page.goto(path)
    if (text !== null) await expect(page.getByText(text).first()).toBeVisible()
    await expect(page.locator('h1, [role=alert]').first()).toBeVisible()
    expect(await page.locator(PLANTED).count(), path).toBe(0)
  }
  const settings = `/calendar/${calendar.id}/settings?tab=`

  await test.step('the pages of customers', async () => {
    await shows(`/book/${calendar.slug}`, MARKUP)
    await shows(`/cancel/${booking.id}`, MARKUP)
    await shows(`/confirmation?appointment_id=${booking.id}`, null)
  })
  await test.step('the pages of the owner', async () => {
    await shows('/dashboard', MARKUP)
    await shows(`/calendar/${calendar.id}`, MARKUP)
    for (const tab of ['general', 'appointments', 'types', 'locations'])
      await shows(`${settings}${tab}`, MARKUP)
    await shows(`${settings}reminders`, null)
    await expect(page.getByRole('textbox', { name: /subject/i })).toHaveValue(MARKUP)
    await shows('/profile', null)
  })
  await test.step('what an address carries', async () => {
    allowConsole(/404/)
    const carried = encodeURIComponent(MARKUP)
    for (const path of [
      `/nowhere/${carried}`,
      `/book/${carried}`,
      `/login?redirect=${carried}`,
      `/reset-password?token=${carried}`,
      `/payment-cancelled?appointment_id=${carried}`,
      `${settings}appointments&search=${carried}`,
    ]) {
      await shows(path, null)
    }
  })
  await test.step('every mail, as its reader opens it', async () => {
    await waitForMail({ to: owner.email, subject: 'ancellation' })
    const mails = [await waitForMail({ to: customer.email }), ...(await listMails({ to: owner.email }))]
    expect(mails.length).toBeGreaterThan(2)
    const reader = await page.context().newPage()
    for (const mail of mails) {
      for (const header of [mail.subject, mail.to, mail.from, ...Object.values(mail.headers)]) {
        expect(header).not.toMatch(/[\r\n]/)
      }
      await reader.setContent(mail.html)
      expect(await reader.locator(PLANTED).count(), mail.subject).toBe(0)
    }
    expect(mails.some(({ html }) => html.includes('&gt;&lt;img src=/planted'))).toBe(true)
    expect(findLink(mails[0] ?? fail(), '/cancel/')).toContain(booking.id)
  })
})

async function send(
  request: APIRequestContext,
  method: 'post' | 'patch',
  path: string,
  data: object,
): Promise<{ id: string }> {
  const answer = await request[method](path, { data })
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
  return answer.json()
}

function fail(): never {
  throw new Error('there was no mail')
}

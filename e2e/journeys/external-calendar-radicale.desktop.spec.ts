import type { Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { toEpochMs, toRfc3339 } from '#core/shared/zoned-time.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { openCaldavClient, readEventProperty, type StoredEvent } from '#e2e/support/calendar-program.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import { openAppointment } from '#e2e/support/open-appointment.ts'
import {
  bookAppointment,
  chooseDate,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
} from '#e2e/support/people.ts'
import { test as base, expect } from '#e2e/support/test.ts'
import { type Radicale, startRadicale } from '#tests/support/radicale.ts'

/** Starts an empty Radicale server for one journey. */
const test = base.extend<{ radicale: Radicale }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright sets up the fixtures named in the pattern; this one needs none
  radicale: async ({}, use) => {
    const radicale = await startRadicale()
    await use(radicale)
    await radicale.stop()
  },
})

/** A timeout for Meridian to write an event: it writes pending events once a minute, and a shared machine may need longer. */
const WRITTEN = { timeout: 90_000 }

test('an owner connects a CalDAV server: busy there, written there, moved there, away and back, disconnected', {
  tag: '@slow',
}, async ({ page, newVisitor, allowConsole, radicale }) => {
  test.setTimeout(5 * 60_000)
  const owner = makePerson('Ida Berg')
  const [customer, later] = [makePerson('Ada Lovelace'), makePerson('Alan Turing')]
  await signUp(page, owner)
  const calendar = await createCalendar(page)
  const visitor = await newVisitor()
  const program = openCaldavClient(radicale)
  await program.makeCalendar('Family')
  await program.makeCalendar('Practice')
  const account = page.getByRole('region', { name: radicale.username })

  await test.step('a wrong password is refused in words, and what was typed stays', async () => {
    await openIntegrations(page, calendar)
    await page.getByRole('button', { name: 'Connect to CalDAV' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect to CalDAV' })
    await dialog.getByLabel('Server address').fill(radicale.url)
    await dialog.getByLabel('User name').fill(radicale.username)
    await dialog.getByLabel(/^Password/).fill('a wrong password')
    allowConsole(/400/)
    await dialog.getByRole('button', { name: 'Connect' }).click()
    await expect(
      dialog.getByText(PROBLEMS['external_calendar.login_refused'].title, { exact: true }),
    ).toBeVisible()
    await expect(dialog.getByLabel('Server address')).toHaveValue(radicale.url)
    await expect(dialog.getByLabel('User name')).toHaveValue(radicale.username)
    await expect(dialog.getByLabel(/^Password/)).toHaveValue('a wrong password')
    await expectNoAxeFindings(page)
  })

  await test.step('the right one connects the account, and the owner chooses what is read and written', async () => {
    const dialog = page.getByRole('dialog', { name: 'Connect to CalDAV' })
    await dialog.getByLabel(/^Password/).fill(radicale.password)
    await dialog.getByRole('button', { name: 'Connect' }).click()
    await expect(account).toContainText('Connected to CalDAV')
    const busy = page.getByRole('group', { name: /^Count as busy/ })
    const written = page.getByRole('group', { name: 'Write appointments to' })
    // The checkbox shows its new state a moment after the click.
    const family = busy.getByRole('checkbox', { name: 'Family' })
    if (!(await family.isChecked())) await family.click()
    await expect(family).toBeChecked()
    const practice = written.getByRole('radio', { name: 'Practice' })
    const saved = page.waitForResponse(
      (answer) =>
        answer.request().method() === 'PUT' && answer.request().postData()?.includes('"writes":"') === true,
    )
    await practice.click()
    await expect(practice).toBeChecked()
    await saved
    await page.reload()
    await expect(family).toBeChecked()
    await expect(practice).toBeChecked()
    await expectNoAxeFindings(page)
  })

  await test.step('an event of another calendar program takes its time from the booking page', async () => {
    await openTuesday(visitor, calendar)
    await expect(slot(visitor, '2:00 PM')).toBeVisible()
    await program.addEvent('Family', { title: 'Dentist', startsAt: at(14), endsAt: at(15) })
    await account.getByRole('button', { name: 'Sync Now' }).click()
    await expect(page.getByText('Calendar synced with CalDAV')).toBeVisible()
    await openTuesday(visitor, calendar)
    await expect(slot(visitor, '1:30 PM')).toBeVisible()
    await expect(slot(visitor, '2:00 PM')).toHaveCount(0)
    await expect(slot(visitor, '2:30 PM')).toHaveCount(0)
    await expect(slot(visitor, '3:00 PM')).toBeVisible()
  })

  let event: StoredEvent | undefined
  await test.step('a booking is written there, with a UID that no email tells (rule G27)', async () => {
    await slot(visitor, '11:00 AM').click()
    await visitor.getByLabel('Full Name').fill(customer.name)
    await visitor.getByLabel('Email Address').fill(customer.email)
    await visitor.getByRole('button', { name: 'Book appointment' }).click()
    await expect(visitor.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    const mail = await waitForMail({ to: customer.email, subject: 'confirmed' })
    const file = mail.attachments.find(({ content_type }) => content_type.startsWith('text/calendar'))
    const uid = readEventProperty(file?.content ?? '', 'UID')
    expect(uid).toMatch(/@/)
    await expect.poll(async () => (await program.listEvents('Practice')).length, WRITTEN).toBe(1)
    event = (await program.listEvents('Practice'))[0]
    expect(readEventProperty(event?.text ?? '', 'UID')).toMatch(/^[\da-f-]{36}@/)
    expect(readEventProperty(event?.text ?? '', 'UID')).not.toBe(uid)
    expect(readEventProperty(event?.text ?? '', 'DTSTART')).toBe(inFile(at(11)))
    expect(readEventProperty(event?.text ?? '', 'DTEND')).toBe(inFile(at(11.5)))
    expect(readEventProperty(event?.text ?? '', 'SUMMARY')).toContain(customer.name)
  })

  await test.step('moved there, the appointment is moved here, and the customer is told', async () => {
    if (event === undefined) throw new Error('the event was read')
    await program.moveEvent(event, { startsAt: at(12), endsAt: at(12.5) })
    await account.getByRole('button', { name: 'Sync Now' }).click()
    await waitForMail({ to: customer.email, subject: /^Appointment moved: .* 12:00 PM/ })
    await page.goto(settingsOf(calendar, 'appointments'))
    await expect(page.getByRole('article', { name: customer.name })).toContainText('12:00 PM')
    await openAppointment(page, customer.name)
    await page.getByRole('button', { name: 'History' }).click()
    await expect(page.getByRole('list', { name: 'History' })).toContainText(
      'The event was changed in the external calendar, so the appointment was moved from',
    )
  })

  await test.step('the server is away: a sync says so, and the page says how it is', async () => {
    await radicale.goDown()
    await openIntegrations(page, calendar)
    allowConsole(/502/)
    await account.getByRole('button', { name: 'Sync Now' }).click()
    await expect(page.getByText(/^Sync failed: .+: We couldn’t reach the server\.$/)).toBeVisible()
    await expect(account).toContainText('The last check failed')
    await expect(account).toContainText('We couldn’t reach the server. We’ll try again')
    await bookAppointment(page.context().request, calendar, { startsAt: at(16), person: later })
    await page.reload()
    await expect(account).toContainText('1 appointment waiting to be added')
    await expect(account).toContainText(/Last checked (just now|.* ago)/)
    await expect(page.getByText(/we’re offering times from the copy of /)).toBeVisible()
    await expectNoAxeFindings(page)
  })

  await test.step('it is back: what waited is written, once', async () => {
    await radicale.comeBack()
    await account.getByRole('button', { name: 'Sync Now' }).click()
    await expect(page.getByText('Calendar synced with CalDAV')).toBeVisible()
    await expect(account).not.toContainText('The last check failed')
    await expect.poll(async () => (await program.listEvents('Practice')).length, WRITTEN).toBe(2)
    const starts = (await program.listEvents('Practice')).map(({ text }) =>
      readEventProperty(text, 'DTSTART'),
    )
    expect(starts).toContain(inFile(at(16)))
  })

  await test.step('disconnected, our events are removed there, and the owner’s own stay', async () => {
    await openIntegrations(page, calendar)
    await account.getByRole('button', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('radio', { name: 'Remove them' }).check()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await expect(page.getByText('CalDAV disconnected')).toBeVisible()
    await expect.poll(async () => (await program.listEvents('Practice')).length, WRITTEN).toBe(0)
    expect(await program.listEvents('Family')).toHaveLength(1)
    await page.goto(settingsOf(calendar, 'appointments'))
    for (const { name } of [customer, later]) {
      await expect(page.getByRole('article', { name })).toContainText('Confirmed')
    }
    await openTuesday(visitor, calendar)
    await expect(slot(visitor, '2:00 PM')).toBeVisible()
  })
})

function settingsOf(calendar: Calendar, tab: string): string {
  return `/calendar/${calendar.id}/settings?tab=${tab}`
}

async function openIntegrations(page: Page, calendar: Calendar): Promise<void> {
  await page.goto(settingsOf(calendar, 'integrations'))
}

async function openTuesday(visitor: Page, calendar: Calendar): Promise<void> {
  await visitor.goto(`/book/${calendar.slug}`)
  await chooseDate(visitor, nextTuesday())
  await expect(slot(visitor, '9:00 AM')).toBeVisible()
}

function slot(visitor: Page, time: string) {
  return visitor.getByRole('button', { name: time, exact: true })
}

/** Returns an hour of the next Tuesday in London as an instant. */
function at(hour: number): string {
  return toRfc3339(toEpochMs(nextTuesday(), hour * 3_600, 'Europe/London'))
}

/** Formats an instant as calendar files do: `20261201T110000Z`. */
function inFile(instant: string): string {
  return instant.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
}

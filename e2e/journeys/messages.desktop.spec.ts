import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { findLink, listMails, waitForMail } from '#e2e/support/mailbox.ts'
import { openAppointment, shownAppointment } from '#e2e/support/open-appointment.ts'
import {
  bookAppointment,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner sees what became of the messages of a booking, and has one sent again', async ({ page }) => {
  const owner = makePerson('Ida Berg')
  const customer = makePerson('Grace Hopper')
  const confirmation = { to: customer.email, subject: 'confirmed' }
  await signUp(page, owner)
  const calendar = await createCalendar(page)
  const startsAt = toInstant(nextTuesday(), '13:00')
  await bookAppointment(page.context().request, calendar, { startsAt, person: customer })
  const first = await waitForMail(confirmation)

  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  const details = await openAppointment(page, customer.name)
  const messages = details.getByRole('list', { name: 'Messages' })
  const ofKind = (name: string) => messages.getByRole('listitem').filter({ hasText: name })
  const again = details.getByRole('button', { name: 'Send again: Booking confirmation' })

  await test.step('Messages names each, to whom it went, and that it was sent', async () => {
    await details.getByRole('button', { name: 'Messages' }).click()
    await expect(messages.getByRole('listitem')).toHaveCount(3)
    await expect(ofKind('Reminder').getByText('Planned', { exact: true })).toBeVisible()
    await expect(ofKind('Reminder').getByRole('button')).toHaveCount(0)
    await expect(ofKind('Booking confirmation').getByText('Sent', { exact: true })).toBeVisible()
    await expect(ofKind('Booking confirmation')).toContainText('To the customer')
    await expect(ofKind('New booking')).toContainText('To you')
    await expectNoAxeFindings(page)
  })

  await test.step('sent again, it arrives a second time, once for a double click', async () => {
    await again.dblclick()
    await expect(page.getByText('Booking confirmation will be sent again')).toBeVisible()
    await expect(ofKind('Booking confirmation').getByText(/, sent again by you$/)).toBeVisible()
    await expect(again).toBeFocused()
    await expect(again).toHaveText('Send again')
    const arrived = await listMails(confirmation)
    expect(arrived).toHaveLength(2)
    expect(arrived.map(({ text }) => text)).toEqual([first.text, first.text])
    await expectNoAxeFindings(page)
  })

  await test.step('of a cancelled appointment no confirmation can be sent again and no reminder is planned', async () => {
    await details.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel appointment' }).click()
    await expect(ofKind('Cancellation').getByText('Sent', { exact: true })).toBeVisible()
    await expect(again).toHaveCount(0)
    await expect(ofKind('Reminder')).toHaveCount(0)
  })
})

test('a customer answers an email by using the page it leads to; whoever did not book stops emails, and the owner sees what waits', async ({
  page,
  browser,
}) => {
  const owner = makePerson('Ida Berg')
  const customer = makePerson('Grace Hopper')
  await signUp(page, owner)
  const calendar = await createCalendar(page)
  const { request } = page.context()
  await bookAppointment(request, calendar, { startsAt: toInstant(nextTuesday(), '13:00'), person: customer })
  const mail = await waitForMail({ to: customer.email, subject: 'confirmed' })
  const visitor = await (await browser.newContext()).newPage()

  await test.step('opening the page alone answers nothing; the first key does', async () => {
    const answers: string[] = []
    visitor.on('request', (request) => {
      if (request.url().includes('/api/public/email-')) answers.push(request.url())
    })
    await visitor.goto(findLink(mail, '/cancel/'), { waitUntil: 'networkidle' })
    await expect(visitor.getByRole('button', { name: 'Request cancellation' })).toBeVisible()
    expect(answers).toEqual([])
    const answered = visitor.waitForResponse('**/api/public/email-answers')
    await visitor.keyboard.press('Tab')
    expect((await answered).status()).toBe(204)
  })

  await test.step('the link at the end of the email stops emails to the address', async () => {
    await visitor.goto(findLink(mail, '/cancel/emails'))
    await expect(visitor.getByRole('heading', { name: 'Stop these emails' })).toBeVisible()
    await expectNoAxeFindings(visitor)
    await visitor.getByRole('button', { name: 'Stop emails' }).click()
    await expect(visitor.getByRole('heading', { name: 'Emails stopped' })).toBeFocused()
    await expectNoAxeFindings(visitor)
  })

  await test.step('the next booking stands, and the owner reads that its message waits and why', async () => {
    await bookAppointment(request, calendar, {
      startsAt: toInstant(nextTuesday(), '15:00'),
      person: customer,
    })
    await waitForMail({ to: owner.email, subject: /New booking.*3:00/ })
    await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
    const row = page.getByRole('article', { name: customer.name }).filter({ hasText: '3:00 PM' })
    await row.getByRole('button', { name: customer.name, exact: true }).click()
    const details = shownAppointment(page)
    await expect(details).toContainText('is on hold')
    await details.getByRole('button', { name: 'Messages' }).click()
    const waiting = details.getByRole('listitem').filter({ hasText: 'Booking confirmation' })
    await expect(waiting).toContainText('will be sent if they allow emails again')
    await expectNoAxeFindings(page)
  })

  await visitor.getByRole('button', { name: 'Allow emails again' }).click()
  await expect(visitor.getByRole('heading', { name: 'Emails allowed' })).toBeVisible()
  await visitor.context().close()
})

import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { listMails, waitForMail } from '#e2e/support/mailbox.ts'
import { book, createCalendar, makePerson, nextTuesday, signUp } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner sees what became of the messages of a booking, and has one sent again', async ({ page }) => {
  const owner = makePerson('Ida Berg')
  const customer = makePerson('Grace Hopper')
  const confirmation = { to: customer.email, subject: 'confirmed' }
  await signUp(page, owner)
  const calendar = await createCalendar(page)
  const startsAt = `${nextTuesday()}T13:00:00Z`
  await book(page.context().request, calendar, { startsAt, person: customer })
  const first = await waitForMail(confirmation)

  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  const row = page.getByRole('article', { name: customer.name })
  const messages = row.getByRole('list', { name: 'Messages' })
  const ofKind = (name: string) => messages.getByRole('listitem').filter({ hasText: name })
  const again = row.getByRole('button', { name: 'Send again: Booking confirmation' })

  await test.step('Messages names each, to whom it went, and that it was sent', async () => {
    await row.getByRole('button', { name: 'Messages' }).click()
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
    await expect(page.getByText('Booking confirmation is on its way again')).toBeVisible()
    await expect(ofKind('Booking confirmation').getByText(/, sent again by you$/)).toBeVisible()
    await expect(again).toBeFocused()
    await expect(again).toHaveText('Send again')
    const arrived = await listMails(confirmation)
    expect(arrived).toHaveLength(2)
    expect(arrived.map(({ text }) => text)).toEqual([first.text, first.text])
    await expectNoAxeFindings(page)
  })

  await test.step('of a cancelled appointment no confirmation can be sent again and no reminder is planned', async () => {
    await row.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Appointment' }).click()
    await expect(ofKind('Cancellation').getByText('Sent', { exact: true })).toBeVisible()
    await expect(again).toHaveCount(0)
    await expect(ofKind('Reminder')).toHaveCount(0)
  })
})

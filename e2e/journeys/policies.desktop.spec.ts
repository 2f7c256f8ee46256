import { addDays } from '#core/shared/zoned-time.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import {
  bookAppointment,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner sets a policy, reads the sentence that it amounts to, and a booking keeps it', async ({
  page,
  newVisitor,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const settings = `/calendar/${calendar.id}/settings?tab=general`
  await page.goto(settings)
  const form = page.getByRole('form', { name: 'Changes and cancellations' })
  const sentence = form.getByRole('status').first()

  await test.step('the sentence follows each setting', async () => {
    await expect(sentence).toContainText('You can request cancellation until it starts.')
    await form.getByRole('combobox', { name: 'Cancelling' }).click()
    await page.getByRole('option', { name: 'Themselves, later not at all' }).click()
    await form.getByLabel('Cancel until (hours before)').fill('48')
    await expect(sentence).toContainText(
      'You can cancel it until 48 hours before it starts. After that it can’t be cancelled.',
    )
    await form.getByRole('button', { name: 'Add row' }).click()
    await form.getByLabel('Refund (%)').fill('80')
    await expect(sentence).toContainText('you get 80% back until 24 hours before it starts')
  })

  await test.step('a table that does not fall is pointed out and not saved', async () => {
    await form.getByRole('button', { name: 'Add row' }).click()
    await form
      .getByLabel(/^Until/)
      .last()
      .fill('72')
    await expect(form.getByRole('alert')).toContainText('fewer hours and a smaller refund')
    await form.getByRole('button', { name: 'Remove row 2' }).click()
    await expect(form.getByRole('alert')).toHaveCount(0)
    await expectNoAxeFindings(page)
  })

  await test.step('it is saved, shown before the booking, and frozen with it', async () => {
    await form.getByRole('button', { name: 'Save policy' }).click()
    await expect(page.getByText('Changes and cancellations updated')).toBeVisible()
    const visitor = await newVisitor()
    await visitor.goto(`/book/${calendar.slug}`)
    await expect(visitor.getByText('You can cancel it until 48 hours before it starts.')).toBeVisible()
    const customer = makePerson('Ada Lovelace')
    // In the week after, so that the deadline of 48 hours is ahead on every day of the week.
    const startsAt = toInstant(addDays(nextTuesday(), 7), '14:00')
    const { id } = await bookAppointment(visitor.context().request, calendar, { startsAt, person: customer })
    await page.goto(settings)
    await form.getByRole('combobox', { name: 'Cancelling' }).click()
    await page.getByRole('option', { name: 'Only on request' }).click()
    await form.getByRole('button', { name: 'Save policy' }).click()
    await expect(page.getByText('Changes and cancellations updated')).toBeVisible()
    await visitor.goto(`/book/${calendar.slug}/confirmation?appointment_id=${id}`)
    await expect(visitor.getByText('You can cancel it until 48 hours before it starts.')).toBeVisible()
    const mail = await waitForMail({ to: customer.email, subject: 'Booking confirmed' })
    expect(mail.text).toContain('You can cancel it until 48 hours before it starts.')
  })
})

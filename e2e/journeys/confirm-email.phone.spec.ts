import { waitForMail } from '#e2e/support/mailbox.ts'
import { openAppointment } from '#e2e/support/open-appointment.ts'
import { chooseDate, createCalendar, makePerson, nextTuesday, signUp } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner has email addresses confirmed, and a customer books by the code of an email', async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  allowConsole(/400/)
  const ownerPage = await newVisitor()
  const owner = makePerson('Ida Berg')
  await signUp(ownerPage, owner)
  const calendar = await createCalendar(ownerPage)
  await ownerPage.goto(`/calendar/${calendar.id}/settings?tab=general`)
  await ownerPage.getByRole('switch', { name: 'Confirm email addresses with a code' }).click()
  await expect(ownerPage.getByText('Booking settings updated').first()).toBeVisible()

  const customer = makePerson('Alan Turing')
  await page.goto(`/book/${calendar.slug}`)
  await chooseDate(page, nextTuesday())
  await page.getByRole('button', { name: '2:00 PM', exact: true }).click()
  await page.getByLabel('Full Name').fill(customer.name)
  await page.getByLabel('Email Address').fill(customer.email)
  await page.getByRole('button', { name: 'Book appointment' }).click()

  const heading = page.getByRole('heading', { name: 'Confirm your email address' })
  await expect(heading).toBeFocused()
  await expect(page.getByText(customer.email)).toBeVisible()
  const mail = await waitForMail({ to: customer.email, subject: 'is your code' })
  const code = mail.subject.slice(0, 6)

  await page.getByLabel('Code').fill(code === '000000' ? '000001' : '000000')
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await expect(page.getByText('This code is incorrect').first()).toBeVisible()

  // The customer reads the email on the same phone, so the browser may have to reload the page afterwards.
  await page.reload()
  await expect(heading).toBeVisible()
  await expect(page.getByText(`six-digit code to ${customer.email}`)).toBeVisible()
  await ownerPage.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  const details = await openAppointment(ownerPage, customer.name)
  await expect(details.getByText('Awaiting email code')).toBeVisible()
  await page.getByLabel('Code').fill(code)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  await waitForMail({ to: customer.email, subject: 'Booking confirmed' })
  await waitForMail({ to: owner.email, subject: 'New booking' })
  await expect(page.getByText(`It was sent to ${customer.email}.`)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  await expect(page.getByText(`A confirmation email was sent to ${customer.email}.`)).toBeVisible()
})

test('a customer who typed a wrong address corrects it, and keeps the form and the time', async ({
  page,
  newVisitor,
}) => {
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  const calendar = await createCalendar(ownerPage)
  const asks = await ownerPage.request.patch(`/api/calendars/${calendar.id}`, {
    data: { email_confirmation_required: true },
  })
  expect(asks.status()).toBe(200)

  const customer = makePerson('Alan Turing')
  await page.goto(`/book/${calendar.slug}`)
  await chooseDate(page, nextTuesday())
  await page.getByRole('button', { name: '2:00 PM', exact: true }).click()
  await page.getByLabel('Full Name').fill(customer.name)
  await page.getByLabel('Email Address').fill(makePerson('Alan Typing').email)
  await page.getByLabel(/^Additional Notes/).fill('By the window')
  await page.getByRole('button', { name: 'Book appointment' }).click()
  await expect(page.getByRole('heading', { name: 'Confirm your email address' })).toBeVisible()

  await page.getByRole('link', { name: 'Change it' }).click()
  await expect(page.getByLabel('Full Name')).toHaveValue(customer.name)
  await expect(page.getByLabel(/^Additional Notes/)).toHaveValue('By the window')
  await page.getByLabel('Email Address').fill(customer.email)
  await page.getByRole('button', { name: 'Book appointment' }).click()
  await expect(page.getByText(`six-digit code to ${customer.email}`)).toBeVisible()
  const mail = await waitForMail({ to: customer.email, subject: 'is your code' })
  await page.getByLabel('Code').fill(mail.subject.slice(0, 6))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  await expect(page.getByText('2:00 PM').first()).toBeVisible()
})

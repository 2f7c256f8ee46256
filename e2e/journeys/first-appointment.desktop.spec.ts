import { findLink, listMails, waitForMail } from '#e2e/support/mailbox.ts'
import { chooseDate, fillRegistrationForm, makePerson, nextTuesday } from '#e2e/support/people.ts'
import { showSettingsTab } from '#e2e/support/settings-list.ts'
import { expect, test } from '#e2e/support/test.ts'

/** The most important journey: an owner and a customer complete it through screens and emails only. */
test('from registration to the booked appointment and its cancellation request', async ({
  page,
  newVisitor,
}) => {
  test.setTimeout(120_000)
  const owner = makePerson('Nora Lind')
  const customer = makePerson('Grace Hopper')
  const date = nextTuesday()

  await test.step('a professional registers and confirms the address', async () => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Get Started' }).first().click()
    await fillRegistrationForm(page, owner)
    await expect(
      page.getByText('Registration successful! Please check your email to confirm your account.'),
    ).toBeVisible()
    await expect(page).toHaveURL(/\/login/)

    const mail = await waitForMail({ to: owner.email, subject: 'Confirm' })
    await page.goto(findLink(mail, '/auth/callback'))
    await expect(page.getByText('Your email address is confirmed.', { exact: false }).first()).toBeVisible()
    // The link logs in on this browser, and opens the set-up. This owner sets up the calendar without it.
    await expect(page).toHaveURL(/\/setup/)
    await page.goto('/dashboard')
  })

  await test.step('creates a calendar with a service', async () => {
    await expect(page.getByText("You haven't created any calendars yet.")).toBeVisible()
    await page.getByRole('button', { name: 'Create Your First Calendar' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Name/).fill(`Lind Coaching ${owner.email.slice(10, 18)}`)
    await expect(dialog.getByLabel('Booking link')).toHaveValue(/^lind-coaching-/)
    await expect(dialog.getByRole('combobox', { name: 'Time zone' })).toHaveValue(/London/)
    await dialog.getByRole('button', { name: 'Create Calendar' }).click()
    await expect(page.getByText('Calendar created successfully!')).toBeVisible()

    await page.getByRole('link', { name: 'Manage' }).click()
    await showSettingsTab(page, 'Appointment Types')
    await expect(page.getByText('No appointment types created yet')).toBeVisible()
    await page.getByRole('button', { name: 'Add Type' }).click()
    const type = page.getByRole('dialog')
    await type.getByLabel(/^Name/).fill('Strategy talk')
    await type.getByLabel(/Duration/).fill('45')
    await type.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('Appointment type created!')).toBeVisible()
    await expect(page.getByText('45 min')).toBeVisible()
  })

  const bookingUrl = await test.step('shares the link', async () => {
    await page.goto('/dashboard')
    const link = page.getByRole('link', { name: 'View Booking Page' })
    await expect(link).toHaveAttribute('target', '_blank')
    return (await link.getAttribute('href')) ?? ''
  })

  const visitor = await newVisitor()
  await test.step('a customer books a service, a date and a time', async () => {
    await visitor.goto(bookingUrl)
    await expect(visitor.getByRole('heading', { name: 'Nora Lind' })).toBeVisible()
    // The page preselects the only appointment type.
    await expect(visitor.getByRole('radio', { name: /Strategy talk/ })).toBeChecked()
    await chooseDate(visitor, date)
    await visitor.getByRole('button', { name: '09:30' }).click()
    await expect(visitor.getByLabel('Appointment title')).toHaveValue('Strategy talk')
    await visitor.getByLabel('Full Name').fill(customer.name)
    await visitor.getByLabel('Email Address').fill(customer.email)
    await visitor.getByLabel('Additional Notes').fill('I prefer the morning.')
    await visitor.getByRole('button', { name: 'Book appointment' }).click()
    await expect(visitor.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    await expect(visitor.getByText(/BK-\d{13}/).first()).toBeVisible()
  })

  const confirmation = await test.step('both get a mail with a calendar file', async () => {
    const toCustomer = await waitForMail({ to: customer.email })
    const toOwner = await waitForMail({ to: owner.email, subject: /booking/i })
    for (const mail of [toCustomer, toOwner]) {
      const file = mail.attachments.find((attachment) => attachment.filename.endsWith('.ics'))
      expect(file?.content).toContain('BEGIN:VEVENT')
      expect(mail.text).toContain('09:30')
      expect(mail.text).toContain('London time')
    }
    expect(await listMails({ to: customer.email })).toHaveLength(1)
    return toCustomer
  })

  await test.step('the owner sees it on the dashboard', async () => {
    await page.reload()
    const upcoming = page.getByRole('region', { name: 'Upcoming appointments' }).or(page.getByRole('main'))
    await expect(upcoming.last().getByText(customer.name)).toBeVisible()
    await expect(upcoming.last()).toContainText('Strategy talk')
    await expect(upcoming.last()).toContainText('09:30')
  })

  await test.step('the customer asks to cancel, and the owner is told', async () => {
    await visitor.goto(findLink(confirmation, '/cancel/'))
    await visitor.getByRole('button', { name: 'Request cancellation' }).click()
    await expect(
      visitor.getByText(
        'Cancellation request submitted successfully. The calendar owner will review your request.',
      ),
    ).toBeVisible()
    await expect(visitor.getByRole('heading', { name: 'Cancellation Pending' })).toBeVisible()
    await waitForMail({ to: owner.email, subject: /cancel/i })
    await page.reload()
    await expect(page.getByText(/cancellation/i).first()).toBeVisible()
  })
})

import { expect, test } from 'vitest'
import { profileChanges } from '#contract/accounts/profile.ts'
import { passwordResetRequestBody, signInBody, signUpBody } from '#contract/accounts/sessions.ts'
import { createBookingBody } from '#contract/appointments/bookings.ts'
import { createOwnAppointmentBody } from '#contract/appointments/owner-booking.ts'
import { customerChanges } from '#contract/customers/customers.ts'
import { contactMessageBody } from '#contract/messages/contact.ts'
import { isReplyableEmailAddress, reminderSettingsBody } from '#contract/messages/reminder-settings.ts'
import { joinWaitingListBody } from '#contract/waiting-list/waiting-list.ts'
import { emailAddressSchema, toAsciiWebsiteUrl } from './international-names.ts'

const TYPED = 'Ada@Müller.de'

test.each([
  ['x@müller.de', 'x@xn--mller-kva.de'],
  ['x@xn--mller-kva.de', 'x@xn--mller-kva.de'],
  ['x@例え。テスト', 'x@xn--r8jz45g.xn--zckzah'],
  ['x@mu\u0308ller.de', 'x@xn--mller-kva.de'],
  ['x@straße.example', 'x@xn--strae-oqa.example'],
  ['x@müller', null],
  ['x@mül ler.de', null],
  ['x@müller.de/path', null],
  ['x@müller.de:25', null],
  ['x@müller.de／path', null],
  ['@müller.de', null],
  [`x@${'ü'.repeat(250)}.de`, null],
])('%s is stored as %s', (typed, stored) => {
  const { data } = emailAddressSchema.safeParse(typed)
  expect(data ?? null).toBe(stored)
})

test('a mailbox name with letters that not every mail server supports is refused', () => {
  for (const typed of ['jürgen@example.de', 'jürgen@müller.de', '用户@例え.テスト']) {
    const { error } = emailAddressSchema.safeParse(typed)
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'The part before the @ can’t have accented letters. Please enter another address.',
    ])
  }
})

test('every schema accepts an international domain, and converts it to its ASCII form', () => {
  const customer = { name: 'Ada', email: TYPED }
  const results = [
    signUpBody.shape.email.parse(TYPED),
    signInBody.parse({ email: TYPED, password: 'correct horse' }).email,
    passwordResetRequestBody.parse({ email: TYPED }).email,
    contactMessageBody.shape.email.parse(TYPED),
    profileChanges.parse({ email: TYPED }).email,
    customerChanges.parse({ email: TYPED }).email,
    joinWaitingListBody.shape.email.parse(TYPED),
    createBookingBody.shape.customer.parse(customer).email,
    createOwnAppointmentBody.parse({ date: '2027-01-04', time: '09:00', customer }).customer.email,
    reminderSettingsBody.shape.sender_email.parse(TYPED),
  ]
  for (const email of results) expect(email?.toLowerCase()).toBe('ada@xn--mller-kva.de')
  expect(isReplyableEmailAddress(TYPED)).toBe(true)
})

test.each([
  ['https://www.müller.de/about', 'https://www.xn--mller-kva.de/about'],
  ['müller.de:8443', 'xn--mller-kva.de:8443'],
  ['www.example.com', 'www.example.com'],
  ['https://name@müller.de', 'https://name@müller.de'],
])('the website %s is %s', (typed, site) => expect(toAsciiWebsiteUrl(typed)).toBe(site))

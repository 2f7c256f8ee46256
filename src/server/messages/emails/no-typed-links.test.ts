import { Window } from 'happy-dom'
import ICAL from 'ical.js'
import { simpleParser } from 'mailparser'
import { expect, test } from 'vitest'
import { REMOVED_LINK_TEXT } from '#core/messages/typed-links.ts'
import { MAIL_SAMPLES } from '#sandbox/mailbox/mail-samples.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { toReminderSettings } from '#server/records/calendars/to-reminder-settings.ts'
import { MAIL_ORIGIN, makeAppointmentMailContent } from '#tests/support/appointment-mail-facts.ts'
import * as fc from '#tests/support/fast-check.ts'
import { buildAddressConfirmation } from './account-mail.ts'
import type { AppointmentMailContent } from './appointment-facts.ts'
import {
  buildBookingConfirmation,
  buildCancellationDenied,
  buildEmailAddressChanged,
  buildMovedConfirmation,
  buildOwnerBookingNotice,
  buildRestoredConfirmation,
} from './appointment-mail.ts'
import { buildCalendarClosedCancellation, buildCancellation } from './cancellation-mail.ts'
import { buildCustomerLoginCode, buildEmailConfirmationCode } from './code-mail.ts'
import { buildNewTimes } from './new-times-mail.ts'
import { buildPaymentRefunded } from './payment-mail.ts'
import { buildReminder } from './reminder-mail.ts'
import { buildRunningLate } from './running-late-mail.ts'
import {
  buildWaitingClosed,
  buildWaitingConfirmation,
  buildWaitingOffer,
  type WaitingMailContent,
} from './waiting-mail.ts'

type Build = (facts: AppointmentMailContent) => OutgoingMail | Promise<OutgoingMail>

const REMINDERS = toReminderSettings(
  { subject: 'For {customer_name}:{date}', template: '({customer_name}).Com {customer_name}' },
  { calendarName: 'Practice', mailFrom: MAIL_ORIGIN.from.address },
)

/** The function that builds each message to a customer or to somebody on the waiting list, with test data. */
const TO_CUSTOMERS = new Map<unknown, Build>([
  ...[
    buildBookingConfirmation,
    buildEmailConfirmationCode,
    buildCustomerLoginCode,
    buildMovedConfirmation,
    buildEmailAddressChanged,
    buildRestoredConfirmation,
    buildCancellation,
    buildCancellationDenied,
    buildCalendarClosedCancellation,
    buildRunningLate,
    buildNewTimes,
  ].map((build): [unknown, Build] => [build, (facts) => build(facts, MAIL_ORIGIN)]),
  ['series', (facts) => buildBookingConfirmation({ ...facts, otherDates: [facts] }, MAIL_ORIGIN)],
  [buildReminder, (facts) => buildReminder(facts, MAIL_ORIGIN, REMINDERS)],
  [
    buildPaymentRefunded,
    (facts) => {
      const payment = { paymentId: 'p', amountCents: 4_000, currency: 'eur', isSandbox: false } as const
      return buildPaymentRefunded(
        facts,
        {
          ...payment,
          reason: 'too_late',
          nearTimes: [{ startsAt: facts.endsAt, url: 'https://book.example/book/dr-grey?start=x' }],
          bookUrl: 'https://book.example/book/dr-grey',
        },
        MAIL_ORIGIN,
      )
    },
  ],
  [buildWaitingClosed, (facts) => buildWaitingClosed(toWaitingContent(facts), MAIL_ORIGIN)],
  [buildWaitingConfirmation, (facts) => buildWaitingConfirmation(toWaitingContent(facts), MAIL_ORIGIN)],
  [
    buildWaitingOffer,
    (facts) => {
      const { startsAt, endsAt, createdAt: expiresAt } = facts
      const offer = { startsAt, endsAt, expiresAt, isHeld: true, offerUrl: 'https://book.example/waiting/o' }
      return buildWaitingOffer({ ...toWaitingContent(facts), ...offer }, MAIL_ORIGIN)
    },
  ],
])

test('every message to customers is tried here', () => {
  const builders = Object.values(MAIL_SAMPLES)
    .filter(({ group }) => group === 'customer' || group === 'waiting')
    .map(({ builder }) => builder)
  expect([...new Set(builders)].filter((builder) => !TO_CUSTOMERS.has(builder))).toEqual([])
})

test('no message to a customer has a link that is not ours, whatever was typed', async () => {
  await fc.assert(
    fc.asyncProperty(typed, typed, typed, typed, async (name, title, description, phone) => {
      const facts = factsTypedAs({ name, title, description, phone })
      for (const build of TO_CUSTOMERS.values())
        expect(await findForeignLinks(await build(facts))).toEqual([])
    }),
    // Each run checks every message in all its forms.
    { numRuns: 40 },
  )
})

test('an email to confirm an address has no link that is not ours, whatever name was typed', async () => {
  await fc.assert(
    fc.asyncProperty(typed, async (name) => {
      const to = { name, address: 'alex@mail.example' }
      const url = 'https://book.example/auth/callback?token=t'
      expect(await findForeignLinks(await buildAddressConfirmation({ to, url }, MAIL_ORIGIN))).toEqual([])
    }),
    { numRuns: 40 },
  )
})

test('the finder of this test finds links in each form of a message', async () => {
  const mail = await buildOwnerBookingNotice(
    factsTypedAs({ name: 'Alex', title: 'go to evil.com', description: 'www.evil.com', phone: '' }),
    MAIL_ORIGIN,
  )
  const found = await findForeignLinks(mail)
  for (const form of ['text', 'html', 'SUMMARY', 'DESCRIPTION']) {
    expect(found).toContainEqual(expect.stringMatching(`^${form}: http://(www\\.)?evil\\.com`))
  }
})

test('words say that a link was there, the rest of the notes stays, and the owner reads what was typed', async () => {
  const facts = factsTypedAs({
    name: 'Alex https://evil.example',
    title: 'Unlock it: https://evil.example/x',
    description: 'My knee.\nSee www.evil.example or evil．com',
    phone: '',
  })
  const { text, attachments } = await buildBookingConfirmation(facts, MAIL_ORIGIN)
  expect(text).toContain('Hello,')
  expect(text).toContain(`Appointment: Unlock it: ${REMOVED_LINK_TEXT}, Consultation`)
  expect(text).toContain(`> My knee.\n> See ${REMOVED_LINK_TEXT} or ${REMOVED_LINK_TEXT}\n`)
  expect(attachments[0]?.content).not.toContain('evil')
  const toOwner = await buildOwnerBookingNotice(facts, MAIL_ORIGIN)
  expect(toOwner.text).toContain('Unlock it: https://evil.example/x')
  expect(toOwner.text).toContain('> See www.evil.example or evil．com')
})

test('what the owner typed stays: an appointment that they booked, and the title of a type', async () => {
  const title = 'Video call: https://meet.example/maya'
  const byOwner = { ...factsTypedAs({ name: 'A', title, description: title, phone: '' }), bookedBy: 'owner' }
  const { text } = await buildBookingConfirmation(byOwner as AppointmentMailContent, MAIL_ORIGIN)
  expect(text).toContain(`> ${title}`)
  const ofType = { ...makeAppointmentMailContent(), title, isOwnersTitle: true }
  expect((await buildBookingConfirmation(ofType, MAIL_ORIGIN)).text).toContain(title)
})

/** Returns the same data as if the customer had entered it on the waiting list's form. */
function toWaitingContent(facts: AppointmentMailContent): WaitingMailContent {
  const { customer, owner, calendar, typeName, timeZone, customerTimeZone } = facts
  return {
    id: 'w',
    customer: { name: customer.name, email: customer.email ?? '' },
    owner,
    calendar,
    typeName,
    timeZone,
    customerTimeZone,
    hourCycle: 'h12',
    requestUrl: 'https://book.example/waiting/w',
  }
}

function factsTypedAs(input: {
  name: string
  title: string
  description: string
  phone: string
}): AppointmentMailContent {
  const { name, title, description, phone } = input
  const facts = makeAppointmentMailContent({ title, description })
  const stopUrl = 'https://book.example/cancel/emails#email=x'
  return { ...facts, stopUrl, customer: { name, phone, email: 'alex@mail.example' } }
}

const typed = fc
  .array(
    fc.oneof(
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          ...['https://', 'http:', '//', 'www.', 'mailto:', 'evil', 'Evil.com', 'пример.рф', '1.2.3.4'],
          ...['.', '．', '。', '｡', 'com', 'рф', '@', '/', ' ', '\n', '\r\n', '\u200b', '\u202e', '\u0007'],
          ...['<', '>', '"', '&', ')', '(', '\\', ':', ',', '[x](', '{customer_name}'],
        ),
      },
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join('').toWellFormed())

const browser = new Window()
/** The only email addresses that a calendar file may contain: those of the two people. */
const PEOPLE = [
  'mailto:alex@mail.example',
  'mailto:meredith@clinic.example',
  'mailto:appointments@book.example',
]

/**
 * Finds every text that a mail program would turn into a link and that does not lead to us, with the part of the
 * message that contains it.
 */
async function findForeignLinks(mail: OutgoingMail): Promise<string[]> {
  const page = new browser.DOMParser().parseFromString(mail.html, 'text/html')
  const texts = [...page.querySelectorAll('body *')]
    .flatMap((element) => [...element.childNodes])
    .filter((node) => node.nodeType === node.TEXT_NODE)
  const hrefs = [...page.querySelectorAll('a')].map((a) => a.getAttribute('href') ?? '')
  const forms: [string, string][] = [
    ['subject', `${mail.subject}\n${mail.to.name}\n${mail.from.name}`],
    ['text', mail.text],
    ...hrefs.filter(isCalendarLink).map((href): [string, string] => ['entry', readEntryTexts(href)]),
    ['html', texts.map((node) => node.textContent).join('\n')],
    ...mail.attachments.flatMap(({ content }) => readTexts(content)),
  ]
  const links = await Promise.all(
    forms.map(async ([form, text]) => (await listLinked(text)).map((link) => `${form}: ${link}`)),
  )
  const written = hrefs.map((href) => `href: ${href}`)
  return [...links.flat(), ...written].filter((found) => {
    const link = found.slice(found.indexOf(': ') + 2)
    return (
      !link.startsWith('https://book.example/') &&
      !isCalendarLink(link) &&
      !PEOPLE.includes(link.toLowerCase())
    )
  })
}

/** True for the links that add the appointment to the customer's own calendar. */
function isCalendarLink(link: string): boolean {
  return [
    'https://calendar.google.com/calendar/render?',
    'https://outlook.live.com/calendar/deeplink/compose?',
  ].some((page) => link.startsWith(page))
}

/** Returns the texts that a link puts into the calendar entry. */
function readEntryTexts(link: string): string {
  return [...new URL(link).searchParams.values()].join('\n')
}

/** Lists the URLs that a program finds in a text, with every existing top-level domain. */
async function listLinked(text: string): Promise<string[]> {
  const { textAsHtml = '' } = await simpleParser(
    Buffer.from(`Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}`),
  )
  const page = new browser.DOMParser().parseFromString(textAsHtml, 'text/html')
  return [...page.querySelectorAll('a')].map((a) => a.getAttribute('href') ?? '')
}

/** Returns the text values of a calendar file by property, including the names of people. */
function readTexts(content: string): [string, string][] {
  const event = new ICAL.Component(ICAL.parse(content)).getFirstSubcomponent('vevent')
  return (event?.getAllProperties() ?? []).map((property) => [
    property.name.toUpperCase(),
    `${property.getValues().join('\n')}\n${property.getParameter('cn') ?? ''}`,
  ])
}

import { type Document, Window } from 'happy-dom'
import { describe, expect, test } from 'vitest'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { toReminderSettings } from '#server/records/calendars/to-reminder-settings.ts'
import { MAIL_ORIGIN, makeAppointmentMailContent } from '#tests/support/appointment-mail-facts.ts'
import type { AppointmentMailContent } from './appointment-facts.ts'
import {
  buildBookingConfirmation,
  buildCancellationDenied,
  buildMovedConfirmation,
  buildOwnerBookingNotice,
  buildOwnerCancellationRequest,
  buildOwnerConfirmedNotice,
  buildOwnerMovedNotice,
  buildOwnerRestoredNotice,
  buildRestoredConfirmation,
} from './appointment-mail.ts'
import {
  buildCalendarClosedCancellation,
  buildCancellation,
  buildOwnerCancellationNotice,
} from './cancellation-mail.ts'
import { buildReminder } from './reminder-mail.ts'

describe('the messages about a move', () => {
  const moved = { movedFrom: '2026-11-30T20:30:00Z', sequence: 3, customerTimeZone: 'Asia/Kathmandu' }

  test('tell the customer the new time and the old one in their own zone, with an invitation that replaces the first', async () => {
    const mail = await buildMovedConfirmation(makeAppointmentMailContent(moved), MAIL_ORIGIN)
    expect(mail.subject).toBe(
      'Appointment moved: Tuesday, December 1, 3:15 PM (Kathmandu time, GMT+5:45) with Dr. Meredith Grey',
    )
    expect(mail.text).toContain('It was previously on Tuesday, December 1, 2026 at 2:15 AM')
    const file = mail.attachments[0]?.content ?? ''
    expect(file).toContain('METHOD:REQUEST')
    expect(file).toContain('SEQUENCE:3')
    expect(file).toContain('STATUS:CONFIRMED')
  })

  test('tell the owner in the zone of the calendar, and whether somebody has to tell the customer', async () => {
    const content = makeAppointmentMailContent(moved)
    const mail = await buildOwnerMovedNotice(content, MAIL_ORIGIN)
    expect(mail.subject).toBe(
      'Appointment moved: Alex Meyer, Tuesday, December 1, 9:30 AM (London time, GMT)',
    )
    expect(mail.text).toContain('It was previously on Monday, November 30, 2026 at 8:30 PM')
    expect(mail.text).toContain('We’ll email Alex Meyer.')
    const unreachable = { ...content, customer: { ...content.customer, email: null } }
    const other = await buildOwnerMovedNotice(unreachable, MAIL_ORIGIN)
    expect(other.text).toContain('please tell them yourself')
  })

  test('name no time before when none is known, as in a job of an earlier version', async () => {
    const mail = await buildMovedConfirmation(makeAppointmentMailContent(), MAIL_ORIGIN)
    expect(mail.text).not.toContain('It was previously')
  })
})

test('notes are called the customer’s only where the customer booked', async () => {
  const theirs = makeAppointmentMailContent({ description: 'Bring the MRI.' })
  const owners = makeAppointmentMailContent({ description: 'Bring the MRI.', bookedBy: 'owner' })
  expect((await buildBookingConfirmation(theirs, MAIL_ORIGIN)).text).toContain('Your notes')
  expect((await buildOwnerBookingNotice(theirs, MAIL_ORIGIN)).text).toContain('Notes from your customer')
  expect((await buildBookingConfirmation(owners, MAIL_ORIGIN)).text).not.toContain('Your notes')
  expect((await buildOwnerBookingNotice(owners, MAIL_ORIGIN)).text).not.toContain('Notes from your customer')
})

test('the subject names the clock where the customer’s is not the calendar’s', async () => {
  const inNewYork = makeAppointmentMailContent({ customerTimeZone: 'America/New_York' })
  expect((await buildBookingConfirmation(inNewYork, MAIL_ORIGIN)).subject).toBe(
    'Booking confirmed: Tuesday, December 1, 4:30 AM (New York time, EST) with Dr. Meredith Grey',
  )
})

describe('the booking confirmation', () => {
  test('goes to the customer, in the professional’s name from the operator’s address, and is answered by the owner', async () => {
    const mail = await confirm()
    expect(mail.to).toEqual({ name: 'Alex Meyer', address: 'alex@mail.example' })
    expect(mail.from).toEqual({ name: 'Dr. Meredith Grey', address: 'appointments@book.example' })
    expect(mail.replyTo).toEqual({ name: 'Meredith Grey', address: 'meredith@clinic.example' })
    expect(mail.subject).toBe('Booking confirmed: Tuesday, December 1, 9:30 AM with Dr. Meredith Grey')
    expect(mail.headers['Auto-Submitted']).toBe('auto-generated')
  })

  test('says everything about the appointment, in text and in HTML', async () => {
    const mail = await confirm({ movesAlone: true })
    for (const said of [
      'Booking confirmed',
      'Hello Alex Meyer,',
      'Tuesday, December 1, 2026',
      '9:30 AM – 10:00 AM',
      'London time, GMT',
      'First consultation',
      'Consultation',
      '30 minutes',
      'Harley Street Practice',
      '12 Harley Street, London',
      '€40.00',
      'Payment will be handled manually.',
      'BK-1795772400123',
      'It hurts when I climb stairs.',
      'Add to calendar',
      'Google',
      'Outlook',
      'Move or cancel',
      'Cancel this appointment',
    ]) {
      expect(mail.text).toContain(said)
      expect(textOf(mail)).toContain(said)
    }
    const { manageUrl, cancelUrl } = makeAppointmentMailContent()
    expect(mail.text).toContain(`\n${manageUrl}\n`)
    expect(mail.text).toContain(`\n${cancelUrl}\n`)
    expect(linksOf(mail).slice(-2)).toEqual([manageUrl, cancelUrl])
  })

  test.each([
    ['the confirmation', confirm],
    ['the reminder', remind],
  ])('%s leads with the calendars and the way to move or cancel, after the time', async (_name, build) => {
    const calendarFileUrl = 'https://book.example/api/public/manage/t/appointment.ics'
    const mail = await build({ calendarFileUrl, movesAlone: true })
    const { manageUrl } = makeAppointmentMailContent()
    const [google = '', outlook = '', file, change] = linksOf(mail)
    expect([file, change]).toEqual([calendarFileUrl, manageUrl])
    const entry = new URL(google).searchParams
    expect(new URL(google).host).toBe('calendar.google.com')
    expect(entry.get('text')).toBe('First consultation · Dr. Meredith Grey')
    expect(entry.get('dates')).toBe('20261201T093000Z/20261201T100000Z')
    expect(entry.get('location')).toBe('Harley Street Practice, 12 Harley Street, London')
    expect(entry.get('details')).toBe(
      `Booking reference: BK-1795772400123\n\nView your booking: ${manageUrl}`,
    )
    expect(new URL(outlook).searchParams.get('enddt')).toBe('2026-12-01T10:00:00Z')
    const actions = `\n\nAdd to calendar:\nGoogle: ${google}\nOutlook: ${outlook}\nFile: ${file}\n\nMove or cancel:\n${manageUrl}\n\n`
    const at = mail.text.indexOf(actions)
    expect(at).toBeGreaterThan(mail.text.indexOf('9:30 AM'))
    expect(at).toBeLessThan(mail.text.indexOf('Booking reference: BK'))
  })

  test('a message about a move adds no second entry: the attached file moves the first', async () => {
    const content = makeAppointmentMailContent({ movedFrom: '2026-11-30T20:30:00Z', movesAlone: true })
    const mail = await buildMovedConfirmation(content, MAIL_ORIGIN)
    expect(mail.text).not.toContain('Add to calendar')
    expect(linksOf(mail)).toEqual([content.manageUrl, content.cancelUrl])
    expect(mail.text).toContain(`Move or cancel:\n${content.manageUrl}\n`)
    expect(mail.text.replaceAll(/\s+/g, ' ')).toContain(
      'The attached file moves it in your calendar. If you added it with a link to Google or Outlook, please change that entry yourself.',
    )
  })

  test('does not offer to move what its customer cannot move, and never sends their notes to a calendar’s provider', async () => {
    const mail = await confirm({ movesAlone: false })
    expect(mail.text).not.toContain('Move or cancel')
    expect(mail.text).toContain('View or cancel:\n')
    expect(decodeURIComponent(linksOf(mail).slice(0, 2).join())).not.toContain('climb stairs')
  })

  test('keeps what the appointment is about out of the subject', async () => {
    const mail = await confirm({ title: 'HIV test', typeName: 'HIV test' })
    expect(mail.subject).not.toContain('HIV')
  })

  test('speaks in the customer’s zone and says the calendar’s time as well', async () => {
    const mail = await confirm({ customerTimeZone: 'America/New_York' })
    expect(mail.subject).toContain('Tuesday, December 1, 4:30 AM')
    expect(mail.text).toContain('Tuesday, December 1, 2026, 4:30 AM – 5:00 AM (New York time, EST)')
    expect(mail.text).toContain('For Dr. Meredith Grey: 9:30 AM – 10:00 AM (London time, GMT)')
  })

  test('says the date of the other zone where it is another day', async () => {
    const mail = await confirm({
      timeZone: 'America/St_Johns',
      customerTimeZone: 'Asia/Kathmandu',
      startsAt: '2026-12-01T20:00:00Z',
      endsAt: '2026-12-01T20:45:00Z',
    })
    expect(mail.text).toContain('Wednesday, December 2, 2026, 1:45 AM – 2:30 AM (Kathmandu time, GMT+5:45)')
    expect(mail.text).toContain(
      'For Dr. Meredith Grey: Tuesday, December 1, 2026, 4:30 PM – 5:15 PM (St Johns time, NST)',
    )
  })

  test.each([
    ['the same zone', 'Europe/London'],
    ['a zone whose clocks read the same', 'Europe/Lisbon'],
    ['no known zone', null],
    ['a zone that nobody knows', 'Mars/Olympus_Mons'],
  ])('says one time for a customer in %s', async (_what, customerTimeZone) => {
    const mail = await confirm({ customerTimeZone })
    expect(mail.text).toContain('9:30 AM – 10:00 AM')
    expect(mail.text).not.toContain('For Dr. Meredith Grey:')
  })

  test.each([
    ['no price', { priceCents: null }, null],
    ['a free type', { priceCents: 0 }, null],
    ['a fee note', { priceCents: null, feeNote: '€90, in cash' }, '€90, in cash'],
    ['a payment that is pending', { priceCents: 123_456 }, '€1,234.56, Payment will be handled manually.'],
    ['a payment that was made', { paymentStatus: 'paid' }, '€40.00, Paid'],
    ['another currency', { currency: 'gbp', paymentStatus: 'paid' }, '£40.00, Paid'],
    ['a currency without a sign', { currency: 'chf', paymentStatus: 'not_required' }, '€40.00'],
  ] as const)('says what it costs: %s', async (_what, changes, price) => {
    const lines = (await confirm(changes)).text.split('\n')
    expect(lines.find((line) => line.startsWith('Price: '))).toBe(
      price === null ? undefined : `Price: ${price}`,
    )
  })

  test('says Online, a place without an address, or nothing about a place', async () => {
    const placeIn = async (changes: Partial<AppointmentMailContent>) =>
      (await confirm(changes)).text.split('\n').find((line) => line.startsWith('Location: '))
    expect(await placeIn({ isOnline: true, location: null })).toBe('Location: Online')
    expect(await placeIn({ location: { name: 'Room 4', address: null } })).toBe('Location: Room 4')
    expect(await placeIn({ location: null })).toBeUndefined()
  })

  test('names the calendar where it names no professional', async () => {
    const { calendar } = makeAppointmentMailContent()
    const mail = await confirm({ calendar: { ...calendar, professionalName: null } })
    expect(mail.from.name).toBe('Harley Street Practice')
    expect(mail.text).toContain('Your appointment with Harley Street Practice is booked.')
  })

  test('leaves out notes that nobody wrote', async () => {
    for (const description of [null, '', ' \n ']) {
      expect((await confirm({ description })).text).not.toContain('Your notes')
    }
  })

  test('carries an invitation', async () => {
    const { attachments } = await confirm()
    expect(attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
      ['appointment.ics', 'text/calendar; charset=utf-8; method=REQUEST'],
    ])
  })
})

describe('the notice to the owner', () => {
  test.each([
    ['the customer has another clock', { customerTimeZone: 'Asia/Kathmandu' }, ' (London time, GMT)'],
    [
      'another calendar of the owner has another clock',
      { ownerZones: ['Europe/London', 'Europe/Malta'] },
      ' (London time, GMT)',
    ],
    ['all clocks read the same', { customerTimeZone: 'Europe/Lisbon', ownerZones: ['Europe/London'] }, ''],
  ])('names the zone in its subject where %s', async (_when, changes, zone) => {
    const notice = await buildOwnerBookingNotice(makeAppointmentMailContent(changes), MAIL_ORIGIN)
    expect(notice.subject).toBe(`New booking: Alex Meyer, Tuesday, December 1, 9:30 AM${zone}`)
  })

  test.each([
    ['+44 (0)20 7946 0123 ext. 5', ['tel:+442079460123;ext=5']],
    ['020 7946 0123', ['tel:+442079460123']],
    ['020 7946 0123 / 07700 900123', ['tel:+442079460123', 'tel:+447700900123']],
    ['by email, please', []],
  ])('has the phone number %j as it was typed, and links that dial', async (phone, links) => {
    const customer = { name: 'Alex Meyer', email: 'alex@mail.example', phone }
    const mail = await buildOwnerBookingNotice(makeAppointmentMailContent({ customer }), MAIL_ORIGIN)
    expect(mail.text).toContain(`\nPhone: ${phone}\n`)
    expect(linksOf(mail).filter((link) => link?.startsWith('tel:'))).toEqual(links)
  })

  test('comes from the calendar, is answered by the customer, and says who they are', async () => {
    const mail = await buildOwnerBookingNotice(makeAppointmentMailContent(), MAIL_ORIGIN)
    expect(mail.from).toEqual({ name: 'Harley Street Practice', address: 'appointments@book.example' })
    expect(mail.to).toEqual({ name: 'Meredith Grey', address: 'meredith@clinic.example' })
    expect(mail.replyTo).toEqual({ name: 'Alex Meyer', address: 'alex@mail.example' })
    expect(mail.subject).toBe('New booking: Alex Meyer, Tuesday, December 1, 9:30 AM')
    expect(mail.text).toContain('Customer: Alex Meyer\nEmail: alex@mail.example\nPhone: +44 20 7946 0123\n')
    expect(linksOf(mail)).toEqual([
      'mailto:alex@mail.example',
      'tel:+442079460123',
      'https://book.example/dashboard',
    ])
  })

  test('speaks in the calendar’s zone and says the customer’s time as well', async () => {
    const facts = makeAppointmentMailContent({ customerTimeZone: 'Asia/Kathmandu' })
    const { text } = await buildOwnerBookingNotice(facts, MAIL_ORIGIN)
    expect(text).toContain('Tuesday, December 1, 2026, 9:30 AM – 10:00 AM (London time, GMT)')
    expect(text).toContain('For Alex Meyer: 3:15 PM – 3:45 PM (Kathmandu time, GMT+5:45)')
  })

  test('has no phone line when none was given, and an entry for the owner’s own calendar', async () => {
    const customer = { name: 'Alex Meyer', email: 'alex@mail.example', phone: null }
    const mail = await buildOwnerBookingNotice(makeAppointmentMailContent({ customer }), MAIL_ORIGIN)
    expect(mail.text).not.toContain('Phone')
    expect(mail.attachments[0]?.contentType).toContain('method=PUBLISH')
  })

  test('gives nobody’s links to the customer: no cancel page, no confirmation page', async () => {
    const mail = await buildOwnerBookingNotice(makeAppointmentMailContent(), MAIL_ORIGIN)
    expect(mail.text + mail.html).not.toContain('/cancel/')
  })
})

describe('the cancellation request', () => {
  test('tells the owner that the decision is theirs, and changes no calendar', async () => {
    const mail = await buildOwnerCancellationRequest(makeAppointmentMailContent(), MAIL_ORIGIN)
    expect(mail.to.address).toBe('meredith@clinic.example')
    expect(mail.subject).toBe('Cancellation requested: Alex Meyer, Tuesday, December 1, 9:30 AM')
    expect(mail.text).toContain('It stays in your calendar until you decide.')
    expect(linksOf(mail)).toContain('https://book.example/dashboard')
    expect(mail.attachments).toEqual([])
  })
})

test('a second cancellation request, after a denied one, is not taken for a repeat of the first', async () => {
  const idAt = async (updatedAt: string) =>
    (await buildOwnerCancellationRequest(makeAppointmentMailContent({ updatedAt }), MAIL_ORIGIN)).messageId
  expect(await idAt('2026-11-21T11:00:00Z')).not.toBe(await idAt('2026-11-22T11:00:00Z'))
})

describe('a cancellation by the owner', () => {
  test('tells the customer and takes the entry of this revision out of their calendar', async () => {
    const mail = await buildCancellation(makeAppointmentMailContent({ sequence: 3 }), MAIL_ORIGIN)
    expect(mail.to.address).toBe('alex@mail.example')
    expect(mail.subject).toBe('Appointment cancelled: Tuesday, December 1, 9:30 AM with Dr. Meredith Grey')
    expect(mail.text).toContain('Your appointment with Dr. Meredith Grey has been cancelled.')
    expect(mail.attachments[0]?.contentType).toContain('method=CANCEL')
    expect(mail.attachments[0]?.content).toContain('SEQUENCE:3\r\n')
    expect(linksOf(mail)).toEqual([makeAppointmentMailContent().manageUrl])
  })

  test('shows no fee note, because nothing is paid at the appointment', async () => {
    const facts = makeAppointmentMailContent({ priceCents: null, feeNote: '€90, paid at the appointment' })
    expect((await buildCancellation(facts, MAIL_ORIGIN)).text).not.toContain('€90')
  })

  test.each([
    ['paid', 'You’ve paid for this appointment. Reply to this email to ask about a refund.'],
    ['refunded', 'Your payment has been refunded.'],
    ['failed', 'The payment for it didn’t go through.'],
  ] as const)('says of a payment that is %s: %s', async (paymentStatus, sentence) => {
    const mail = await buildCancellation(makeAppointmentMailContent({ paymentStatus }), MAIL_ORIGIN)
    expect(mail.text).toContain(sentence)
  })

  test.each(['pending', 'not_required'] as const)('says nothing of a payment that is %s', async (status) => {
    const facts = makeAppointmentMailContent({ paymentStatus: status })
    const mail = await buildCancellation(facts, MAIL_ORIGIN)
    expect(mail.text).not.toMatch(/paid|payment/i)
  })

  test('is kept for the owner, who reads whether the customer knows', async () => {
    const mail = await buildOwnerCancellationNotice(makeAppointmentMailContent({ sequence: 1 }), MAIL_ORIGIN)
    expect(mail.to.address).toBe('meredith@clinic.example')
    expect(mail.subject).toBe('Appointment cancelled: Alex Meyer, Tuesday, December 1, 9:30 AM')
    expect(mail.text).toContain('its time can be booked again. We’ll email Alex Meyer.')
    expect(mail.attachments[0]?.contentType).toContain('method=CANCEL')
    const customer = { name: 'Alex Meyer', email: null, phone: null }
    const unreachable = await buildOwnerCancellationNotice(
      makeAppointmentMailContent({ customer }),
      MAIL_ORIGIN,
    )
    expect(unreachable.text).toContain('please tell them yourself')
  })
})

describe('an appointment that is restored', () => {
  test('is confirmed to the customer as the same one again, with everything about it', async () => {
    const mail = await buildRestoredConfirmation(makeAppointmentMailContent({ sequence: 2 }), MAIL_ORIGIN)
    expect(mail.subject).toBe('Appointment restored: Tuesday, December 1, 9:30 AM with Dr. Meredith Grey')
    expect(mail.text).toContain('which had been cancelled, is restored')
    expect(mail.attachments[0]?.contentType).toContain('method=REQUEST')
    expect(mail.attachments[0]?.content).toContain('SEQUENCE:2\r\n')
    const { manageUrl, cancelUrl } = makeAppointmentMailContent()
    expect(linksOf(mail).slice(-2)).toEqual([manageUrl, cancelUrl])
  })

  test('and one that is confirmed are kept for the owner in words of their own', async () => {
    const restored = await buildOwnerRestoredNotice(makeAppointmentMailContent(), MAIL_ORIGIN)
    expect(restored.subject).toBe('Appointment restored: Alex Meyer, Tuesday, December 1, 9:30 AM')
    expect(restored.text).toContain('Its time is no longer free.')
    const confirmed = await buildOwnerConfirmedNotice(makeAppointmentMailContent(), MAIL_ORIGIN)
    expect(confirmed.subject).toBe('Appointment confirmed: Alex Meyer, Tuesday, December 1, 9:30 AM')
    expect(confirmed.text).toContain('The appointment with Alex Meyer is confirmed.')
  })
})

test('a denied request leaves the appointment and the calendar as they are, and says what to do', async () => {
  const mail = await buildCancellationDenied(makeAppointmentMailContent(), MAIL_ORIGIN)
  expect(mail.to.address).toBe('alex@mail.example')
  expect(mail.subject).toBe(
    'Your appointment is still on: Tuesday, December 1, 9:30 AM with Dr. Meredith Grey',
  )
  expect(mail.text).toContain('If you can’t come, please reply to this email.')
  expect(mail.attachments).toEqual([])
})

describe('the cancellation because a calendar was closed', () => {
  test('tells the customer, takes the entry out of their calendar, and links nowhere', async () => {
    const mail = await buildCalendarClosedCancellation(makeAppointmentMailContent(), MAIL_ORIGIN)
    expect(mail.to.address).toBe('alex@mail.example')
    expect(mail.subject).toBe('Appointment cancelled: Tuesday, December 1, 9:30 AM with Dr. Meredith Grey')
    expect(mail.text).toContain('because the calendar you booked it in has closed')
    expect(mail.text).not.toContain('refund')
    expect(mail.attachments[0]?.contentType).toContain('method=CANCEL')
    expect(mail.attachments[0]?.content).toContain('SEQUENCE:1\r\n')
    expect(linksOf(mail)).toEqual([])
  })

  test('does not forget that somebody has paid', async () => {
    const facts = makeAppointmentMailContent({ paymentStatus: 'paid' })
    const { text } = await buildCalendarClosedCancellation(facts, MAIL_ORIGIN)
    expect(text).toContain('ask about a refund')
    expect(text).not.toContain('You don’t need to do anything')
  })
})

function confirm(changes: Partial<AppointmentMailContent> = {}): Promise<OutgoingMail> {
  return buildBookingConfirmation(makeAppointmentMailContent(changes), MAIL_ORIGIN)
}

function remind(changes: Partial<AppointmentMailContent>): Promise<OutgoingMail> {
  const settings = toReminderSettings({}, { calendarName: 'Practice', mailFrom: MAIL_ORIGIN.from.address })
  return buildReminder(makeAppointmentMailContent(changes), MAIL_ORIGIN, settings)
}

const browser = new Window()

function parse(mail: OutgoingMail): Document {
  return new browser.DOMParser().parseFromString(mail.html, 'text/html')
}

function textOf(mail: OutgoingMail): string {
  return parse(mail).body.textContent ?? ''
}

function linksOf(mail: OutgoingMail): string[] {
  return [...parse(mail).querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '')
}

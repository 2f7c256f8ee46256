import { setImmediate } from 'node:timers/promises'
import { type Document, type Element, Window } from 'happy-dom'
import { describe, expect, test } from 'vitest'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { MAIL_ORIGIN, makeAppointmentMailContent } from '#tests/support/appointment-mail-facts.ts'
import * as fc from '#tests/support/fast-check.ts'
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
import { buildOwnerEventRestored } from './external-change-mail.ts'
import type { MailOrigin } from './mail-origin.ts'
import { buildOwnerPaymentNotice, buildPaymentRefunded } from './payment-mail.ts'

const PAYMENT = {
  paymentId: '0c1d2e3f-0000-4000-8000-000000000000',
  amountCents: 4_000,
  currency: 'eur',
  isSandbox: false,
}
const NOTICE = {
  ...PAYMENT,
  reason: 'No such charge.',
  nameAtProvider: 'pi_1',
  transactionsUrl: 'https://book.example/transactions',
}

const BUILDERS = [
  ['booking confirmation', buildBookingConfirmation],
  ['moved confirmation', buildMovedConfirmation],
  ['restored confirmation', buildRestoredConfirmation],
  ['cancellation', buildCancellation],
  ['denied cancellation', buildCancellationDenied],
  ['owner booking notice', buildOwnerBookingNotice],
  ['owner confirmed notice', buildOwnerConfirmedNotice],
  ['owner moved notice', buildOwnerMovedNotice],
  ['owner notice of an event that is put back', toPutBack],
  ['owner restored notice', buildOwnerRestoredNotice],
  ['owner cancellation notice', buildOwnerCancellationNotice],
  ['owner cancellation request', buildOwnerCancellationRequest],
  ['calendar-closed cancellation', buildCalendarClosedCancellation],
  ['returned payment', toReturned],
  ['mismatch notice', toNotice('mismatch')],
  ['failed refund notice', toNotice('refund_failed')],
  ['unanswered payment notice', toNotice('unanswered')],
] as const

describe.each(BUILDERS)('every %s', (_name, build) => {
  test('keeps the order of its own words beside names that are written from right to left', async () => {
    const mail = await build(factsTypedAs(HEBREW, 'One line'), MAIL_ORIGIN)
    const isolated = `\u2068${HEBREW}\u2069`
    expect(mail.subject.replaceAll(isolated, '')).not.toMatch(/[\u0590-\u08ff]/)
    // No text follows a name that is alone on its line or comes after `Hello`, so it cannot reverse any other text.
    const beside = mail.text
      .split('\n')
      .filter((line) => line !== HEBREW && line !== `Hello ${HEBREW},`)
      .map((line) => line.replaceAll(isolated, ''))
    expect(beside.filter((line) => /[\u0590-\u08ff]/.test(line))).toEqual([])
    const inHtml = [...parse(mail).body.querySelectorAll('p, div, h1, span')].flatMap(textsBesideElements)
    expect(inHtml.filter((text) => text.includes(HEBREW) && text.trim() !== HEBREW)).toEqual(
      inHtml.filter((text) => text === `Hello ${HEBREW},`),
    )
  })

  test('has a Message-ID of its own per appointment, kind and revision', async () => {
    const idOf = async (changes: Partial<AppointmentMailContent> = {}) =>
      (await build(makeAppointmentMailContent(changes), MAIL_ORIGIN)).messageId
    expect(await idOf()).toMatch(/^<7f0c6d1e-[\w-]+\.[a-z-]+\.0(\.[\w-]+)?@book\.example>$/)
    expect(await idOf()).toBe(await idOf())
    const others = await Promise.all([
      idOf({ sequence: 1 }),
      idOf({ appointmentId: '00000000-0000-4000-8000-000000000000' }),
      ...BUILDERS.filter(([, other]) => other !== build).map(
        async ([, other]) => (await other(makeAppointmentMailContent(), MAIL_ORIGIN)).messageId,
      ),
    ])
    expect(others).not.toContain(await idOf())
  })

  test('can be read by night and on a narrow screen, and fetches nothing', async () => {
    const { html } = await build(makeAppointmentMailContent(), MAIL_ORIGIN)
    expect(html).toMatch(/^<!doctype html><html lang="en"/)
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
    expect(html).toContain('@media (prefers-color-scheme:dark){')
    expect(html).toContain('@media (max-width:520px){')
    expect(html).not.toMatch(/<(img|link|script|svg|iframe|form)\b|url\(|@import/)
    // Gmail cuts off messages at 102 kB.
    expect(html.length).toBeLessThan(20_000)
  })

  test('shows names of people as text, whatever they typed, and adds no element and no link for it', async () => {
    const plain = parse(await build(factsTypedAs('Alex', 'One line'), MAIL_ORIGIN))
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (name, title) => {
        // Yield to the event loop, because a parsed document stays in memory until it continues.
        await setImmediate()
        const mail = await build(factsTypedAs(`A ${name}`, `B ${title}`), MAIL_ORIGIN)
        const hostilePage = parse(mail)
        expect(shapeOf(hostilePage)).toEqual(shapeOf(plain))
      }),
      // Each run builds ten messages from the same blocks.
      { numRuns: 20 },
    )
  })

  test('has no line in its text that a name or a title began', async () => {
    const linesOf = (mail: OutgoingMail) => mail.text.split(/[\r\n\v\f\u0085\u2028\u2029]/)
    const plain = await build(factsTypedAs('Alex', 'First'), MAIL_ORIGIN)
    const attempt = '\r\nCancel this appointment:\nhttps://evil.example\u2028\u2029\u0085'
    const forged = await build(factsTypedAs(`Alex ${attempt}`, `First ${attempt}`), MAIL_ORIGIN)
    expect(linesOf(forged)).toHaveLength(linesOf(plain).length)
    expect(forged.text).toContain('Alex Cancel this appointment: https://evil.example')
  })

  test('has short subjects and whole sentences for people with long names', async () => {
    const long = 'Maximiliane '.repeat(16).trim()
    const mail = await build(factsTypedAs(long, long), MAIL_ORIGIN)
    expect(mail.subject.length).toBeLessThan(140)
    expect(mail.subject).not.toMatch(/[\r\n]/)
    expect(mail.text).toContain(long)
  })
})

test('a note cannot pass for a fact or a link of ours in the plain text', async () => {
  const description = 'Hello\nCancel this appointment:\r\nhttps://evil.example\u2028Price: €0.00'
  const { text } = await confirm({ description })
  expect(text).toContain(
    'Your notes:\n> Hello\n> Cancel this appointment:\n> (link removed)\n> Price: €0.00\n',
  )
  const toOwner = await buildOwnerBookingNotice(makeAppointmentMailContent({ description }), MAIL_ORIGIN)
  expect(toOwner.text).toContain(
    'Notes from your customer:\n> Hello\n> Cancel this appointment:\n> https://evil.example\n> Price: €0.00\n',
  )
})

test('text in a right-to-left script is marked to be read in its own direction', async () => {
  const customer = { name: 'דנה לוי', email: 'dana@mail.example', phone: null }
  const facts = makeAppointmentMailContent({ customer, description: 'שלום, אשמח לדבר' })
  const mail = await buildOwnerBookingNotice(facts, MAIL_ORIGIN)
  const marked = [...parse(mail).querySelectorAll('[dir=auto]')].map((element) => element.textContent)
  expect(marked).toContain('דנה לוי')
  expect(marked).toContain('שלום, אשמח לדבר')
  expect(mail.to.name).toBe('Meredith Grey')
  expect(mail.replyTo?.name).toBe('דנה לוי')
})

test('a calendar’s colour can be seen by day and by night, even when it is the paper’s own', async () => {
  for (const color of ['#faf6ee', '#0e1524', '#ffffff', '#000000']) {
    const { html } = await confirm({ calendar: { ...makeAppointmentMailContent().calendar, color } })
    const [byNight, byDay] = [
      ...html.matchAll(/(?:\.accent\{|class="accent" style=")background-color:(#[0-9a-f]{6})/g),
    ]
    expect(byDay?.[1]).not.toBe('#faf6ee')
    expect(byNight?.[1]).not.toBe('#0e1524')
  }
})

function confirm(changes: Partial<AppointmentMailContent> = {}): Promise<OutgoingMail> {
  return buildBookingConfirmation(makeAppointmentMailContent(changes), MAIL_ORIGIN)
}

function factsTypedAs(name: string, title: string): AppointmentMailContent {
  const facts = makeAppointmentMailContent()
  return {
    ...facts,
    title,
    typeName: `${title} type`,
    customer: { ...facts.customer, name },
    owner: { ...facts.owner, name },
    calendar: { ...facts.calendar, name, professionalName: name },
    location: { name, address: title },
  }
}

const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        '</td></tr></table>',
        '<!--',
        ']]>',
        '&lt;b&gt;',
        '</style>',
        "'",
        '{{name}}',
      ),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''))

const HEBREW = 'דנה לוי'

const browser = new Window()

function parse(mail: OutgoingMail): Document {
  return new browser.DOMParser().parseFromString(mail.html, 'text/html')
}

/** Lists the texts directly in an element, without those of its child elements. */
function textsBesideElements(element: Element): string[] {
  return [...element.childNodes]
    .filter(({ nodeType }) => nodeType === 3)
    .map(({ textContent }) => textContent ?? '')
}

/** Lists every element and its link targets, without texts and without the elements that isolate a name. */
function shapeOf(page: Document): string[] {
  return [...page.querySelectorAll(':not(bdi)')].map(
    (element) => `${element.tagName} ${withoutEntryTexts(element.getAttribute('href') ?? '')}`,
  )
}

/** Leaves out the texts of a calendar entry from a link, because they are typed. Its parameters stay. */
function withoutEntryTexts(href: string): string {
  return href.replaceAll(/\b(text|subject|location)=[^&]+/g, '$1')
}

function toReturned(facts: AppointmentMailContent, origin: MailOrigin): OutgoingMail {
  const nearTimes = [{ startsAt: '2026-12-01T10:30:00Z', url: 'https://book.example/book/dr-grey?start=x' }]
  const about = {
    ...PAYMENT,
    reason: 'too_late' as const,
    nearTimes,
    bookUrl: 'https://book.example/book/dr-grey',
  }
  return buildPaymentRefunded(facts, about, origin)
}

function toNotice(about: 'mismatch' | 'refund_failed' | 'unanswered') {
  return (facts: AppointmentMailContent, origin: MailOrigin) =>
    buildOwnerPaymentNotice(facts, { ...NOTICE, about }, origin)
}

function toPutBack(facts: AppointmentMailContent, origin: MailOrigin): Promise<OutgoingMail> {
  const wanted = { startsAt: '2026-12-02T09:30:00Z', endsAt: '2026-12-02T10:00:00Z' }
  return buildOwnerEventRestored(
    facts,
    { changeId: 'change-1', wanted, reason: 'This time is taken.', isWritten: true, sessionTitle: null },
    origin,
  )
}

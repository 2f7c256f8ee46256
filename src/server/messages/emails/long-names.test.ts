import { describe, expect, test } from 'vitest'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { MAIL_ORIGIN } from '#tests/support/appointment-mail-facts.ts'
import { buildContactMail } from './contact-mail.ts'
import { buildDomainMail } from './domain-mail.ts'
import { buildPlanMail } from './plan-mail.ts'
import { buildWaitingClosed, buildWaitingConfirmation, buildWaitingOffer } from './waiting-mail.ts'

/** Names of 60 characters. */
const NAMES = [
  ['Latin letters', 'Maximiliane Theodora von Hohenstein-Wittgenstein zu Augsburg'],
  ['one word', 'W'.repeat(60)],
  ['a right-to-left script', 'אלכסנדרה מרים שושנה בן־דוד הלוי גולדשטיין מירושלים הבירה ועוד'.slice(0, 60)],
] as const

/** The longest subject that mail clients and servers show and pass on without folding a name, in characters. */
const LONGEST_SUBJECT = 150

const BUILDERS: readonly (readonly [string, (name: string) => OutgoingMail])[] = [
  ['waiting-list confirmation', (name) => buildWaitingConfirmation(toWaiting(name), MAIL_ORIGIN)],
  ['waiting-list offer', toOffer],
  ['closed waiting list', (name) => buildWaitingClosed(toWaiting(name), MAIL_ORIGIN)],
  ['end of a plan', toPlanEnded],
  ['domain notice', toDomainNotice],
  ['message of the contact page', toContact],
]

describe.each(BUILDERS)('the %s', (_mail, build) => {
  test.each(NAMES)(
    'shows a name of 60 characters in %s whole, and keeps its own words in order',
    (_script, name) => {
      const mail = build(name)
      expect(mail.text).toContain(name)
      expect(toText(mail.html)).toContain(name)
      expect(mail.subject.length).toBeLessThanOrEqual(LONGEST_SUBJECT)
      // Beside other words, a right-to-left name is isolated, so that it cannot reverse them.
      const isolated = /\u2068[^\u2069]*\u2069/g
      for (const line of [mail.subject, ...mail.text.split('\n')]) {
        if (line === name || line === `Hello ${name},`) continue
        expect(line.replaceAll(isolated, '')).not.toMatch(/[\u0590-\u08ff]/)
      }
      // A word without a break wraps, so that the mail is not wider than a phone.
      expect(mail.html).toMatch(/word-break:break-word|overflow-wrap:(anywhere|break-word)/)
    },
  )
})

function toWaiting(name: string) {
  return {
    id: 'request-1',
    customer: { name, email: 'ada@mail.example' },
    owner: { name, email: 'owner@mail.example' },
    calendar: { name, color: '#3498db', professionalName: name },
    typeName: name,
    timeZone: 'Europe/London',
    customerTimeZone: null,
    hourCycle: 'h12' as const,
    requestUrl: 'https://book.example/waiting/token',
  }
}

function toOffer(name: string): OutgoingMail {
  const times = {
    startsAt: '2027-01-05T09:00:00Z',
    endsAt: '2027-01-05T09:30:00Z',
    expiresAt: '2027-01-04T09:00:00Z',
  }
  const offer = { ...times, isHeld: true, offerUrl: 'https://book.example/offer/token' }
  return buildWaitingOffer({ ...toWaiting(name), ...offer }, MAIL_ORIGIN)
}

function toPlanEnded(name: string): OutgoingMail {
  const facts = {
    occasion: 'plan_ended' as const,
    ended: 'Professional',
    plan: 'Free',
    pausedCalendars: [name],
    inactive: [],
  }
  const owner = { name, email: 'owner@mail.example' }
  return buildPlanMail({ owner, deliveryId: 'job-1', facts, baseUrl: 'https://book.example' }, MAIL_ORIGIN)
}

function toDomainNotice(name: string): OutgoingMail {
  return buildDomainMail(
    {
      deliveryId: 'job-1',
      owner: { name, email: 'owner@mail.example' },
      calendarName: name,
      domain: 'booking.example.org',
      occasion: 'failing',
      settingsUrl: 'https://book.example/settings',
    },
    MAIL_ORIGIN,
  )
}

function toContact(name: string): OutgoingMail {
  const message = { name, email: 'ada@mail.example', subject: name, message: 'Good morning' }
  const to = { name: 'Harbour Software', address: 'desk@harbour.example' }
  return buildContactMail({ to, message, deliveryId: 'job-1' }, MAIL_ORIGIN)
}

/** Returns the text of an HTML mail without its elements. */
function toText(html: string): string {
  return html.replaceAll(/<[^>]*>/g, '')
}

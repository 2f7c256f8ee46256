import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { MESSAGE_KINDS } from '#server/messages/queue/message-kinds.ts'
import { MAIL_ORIGIN } from '#tests/support/appointment-mail-facts.ts'
import { MAIL_SAMPLES } from './mail-samples.ts'
import { SAMPLE_APPOINTMENTS_BY_SCENE, SAMPLE_SCENE_NAMES, type SampleSceneName } from './sample-scenes.ts'

const MAIL_FOLDER = join(import.meta.dirname, '../../src/server/messages/emails')
const SCENES = Object.keys(SAMPLE_SCENE_NAMES) as SampleSceneName[] // the keys of an object literal of that type

test('the gallery shows the email of every function that builds one', async () => {
  const builders = new Map<unknown, string>()
  for (const file of readdirSync(MAIL_FOLDER).filter((name) => name.endsWith('-mail.ts'))) {
    const module: Record<string, unknown> = await import(join(MAIL_FOLDER, file))
    for (const [name, builder] of Object.entries(module))
      if (name.startsWith('build')) builders.set(builder, name)
  }
  expect(builders.size).toBeGreaterThan(15)
  for (const { build } of Object.values(MESSAGE_KINDS)) expect(builders.has(build)).toBe(true)
  for (const { builder } of Object.values(MAIL_SAMPLES)) builders.delete(builder)
  expect([...builders.values()]).toEqual([])
})

test.each(SCENES)('every email about an appointment names its time zone: %s', async (scene) => {
  for (const [id, sample] of samplesOf('customer', 'owner')) {
    const { text, html } = await sample.build(SOURCE, scene)
    const zone = ZONES[scene][sample.group === 'customer' ? 'customer' : 'owner']
    expect(text, id).toContain(zone)
    expect(html, id).toContain(zone)
  }
})

test('no email of a calendar with the 24-hour clock has AM or PM', async () => {
  const scenes = SCENES.filter((scene) => SAMPLE_APPOINTMENTS_BY_SCENE[scene].hourCycle === 'h23')
  expect(scenes).toEqual(['long', 'right_to_left'])
  for (const scene of scenes) {
    for (const [id, sample] of Object.entries(MAIL_SAMPLES)) {
      const { subject, text, html, attachments } = await sample.build(SOURCE, scene)
      for (const part of [subject, text, html, ...attachments.map(({ content }) => content)]) {
        expect(part, `${id} of ${scene}`).not.toMatch(/\d\s*[AP]M\b/)
      }
    }
  }
})

test('every email about an appointment has its time on the 12-hour clock by default', async () => {
  for (const [id, sample] of samplesOf('customer', 'owner')) {
    const { text } = await sample.build(SOURCE, 'everyday')
    expect(text, id).toMatch(/\d [AP]M\b/)
  }
})

test.each(SCENES)(
  'every message about an appointment says who, where, what it costs and its reference: %s',
  async (scene) => {
    for (const [id, sample] of samplesOf('customer', 'owner')) {
      const { text } = await sample.build(SOURCE, scene)
      expect(text, id).toContain('BK-1795772400123')
      if (id.startsWith('delivery-')) continue
      expect(text, id).toMatch(/^Location: \S/m)
      expect(text, id).toMatch(/^Price: [€$]\d+\.00/m)
    }
  },
)

test('every email has a link: for owners to the appointment, for customers to the booking', async () => {
  for (const [id, sample] of samplesOf('customer', 'owner')) {
    const { text } = await sample.build(SOURCE, 'everyday')
    if (id === 'calendar-closed') continue
    const link = sample.group === 'owner' ? '/settings?tab=appointments' : '/manage/'
    expect(text, id).toContain(WAYS_ON[id] ?? link)
  }
})

test('calendar files of one appointment share their UID, and each later one has a higher SEQUENCE', async () => {
  const revisions = await Promise.all(
    ['booking-confirmation', 'cancelled', 'restored'].map(async (id) => {
      const mail = await MAIL_SAMPLES[id]?.build(SOURCE, 'long')
      const calendar = new ICAL.Component(ICAL.parse(mail?.attachments[0]?.content ?? ''))
      const event = calendar.getFirstSubcomponent('vevent')
      return ['uid', 'sequence'].map((name) => event?.getFirstPropertyValue(name))
    }),
  )
  const uid = '5d0a5f0e-6c1b-4f53-9f0e-2a7c1d9b8e40@book.example'
  expect(revisions).toEqual([0, 1, 2].map((sequence) => [uid, sequence]))
})

test.each(SCENES)(
  'every message of the waiting list says whose it is and where to leave it: %s',
  async (scene) => {
    // The email about a closed list has no link to leave the list.
    const samples = samplesOf('waiting').filter(([id]) => id !== 'waiting-closed')
    expect(samples.length).toBeGreaterThan(2)
    for (const [id, sample] of samples) {
      const { text, from, headers } = await sample.build(SOURCE, scene)
      expect(text, id).toContain(from.name)
      expect(text, id).toContain('https://book.example/waiting/sample')
      expect(headers?.['List-Unsubscribe'], id).toBe('<https://book.example/waiting/sample>')
    }
  },
)

test.each(SCENES)('the email about a closed waiting list has no link to it: %s', async (scene) => {
  const { text, html, from, headers } = (await MAIL_SAMPLES['waiting-closed']?.build(SOURCE, scene)) ?? {}
  expect(text).toContain(from?.name)
  expect(`${text} ${html}`).not.toContain('/waiting/')
  expect(headers).not.toHaveProperty('List-Unsubscribe')
})

test.each(SCENES)(
  'every offer to the waiting list names the zone of its time and has its page: %s',
  async (scene) => {
    for (const [id, sample] of samplesOf('waiting').filter(([id]) => id.startsWith('waiting-offer'))) {
      const { text, html } = await sample.build(SOURCE, scene)
      expect(text, id).toContain(ZONES[scene].customer)
      expect(html, id).toContain(ZONES[scene].customer)
      expect(text, id).toContain('https://book.example/waiting/offer')
    }
  },
)

/** The path that each email about a payment links to: the transactions, or the page to book another time. */
const WAYS_ON: Readonly<Record<string, string>> = {
  'payment-too-late': '/book/harbour-physiotherapy',
  'owner-payment-mismatch': '/settings?tab=transactions',
  'owner-refund-failed': '/settings?tab=transactions',
  'owner-payment-unanswered': '/settings?tab=transactions',
}

const SOURCE = { origin: MAIL_ORIGIN, baseUrl: 'https://book.example' }

const ZONES = {
  everyday: { customer: 'London time, GMT', owner: 'London time, GMT' },
  online: { customer: 'Kathmandu time, GMT+5:45', owner: 'St Johns time, NST' },
  long: { customer: 'Berlin time, CET', owner: 'Berlin time, CET' },
  right_to_left: { customer: 'Jerusalem time', owner: 'Jerusalem time' },
} as const

function samplesOf(...groups: string[]) {
  return Object.entries(MAIL_SAMPLES).filter(([, { group }]) => groups.includes(group))
}

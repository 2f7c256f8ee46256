import { expect } from 'vitest'
import type { TestMeridian } from './meridian.ts'

/** The names of 14 people who share a session. No name is part of another one or of an email's text. */
export const PARTICIPANTS = [
  'Alfa',
  'Bravo',
  'Charlie',
  'Delta',
  'Foxtrot',
  'Juliett',
  'Kilo',
  'Lima',
  'Oscar',
  'Quebec',
  'Romeo',
  'Sierra',
  'Tango',
  'Zulu',
] as const
export type Participant = (typeof PARTICIPANTS)[number]

/** The customer with this name, for a booking. */
export function makeParticipant(name: Participant) {
  const email = `${name.toLowerCase()}@example.com`
  return { name, email, phone: `+44 20 7946 0${100 + PARTICIPANTS.indexOf(name)}` }
}

/** Lists the names, email addresses and phone numbers of the other participants in a text. */
export function findOtherParticipants(text: string, own: Participant): string[] {
  const others = PARTICIPANTS.filter((name) => name !== own).map(makeParticipant)
  const spaceless = text.replaceAll(' ', '')
  return others
    .flatMap(({ name, email, phone }) => [name, email, phone.replaceAll(' ', '')])
    .filter((mark) => spaceless.includes(mark))
}

/** Returns the text of every email to a participant, with its subject and its attachments, oldest first. */
export function listMailsTo({ mails }: TestMeridian, name: Participant, subject = ''): string[] {
  const { email } = makeParticipant(name)
  return mails
    .filter((mail) => mail.to.address === email && mail.subject.startsWith(subject))
    .map(({ to: _, ...mail }) => {
      const attached = mail.attachments.map(({ content }) => String(content))
      return [JSON.stringify(mail), ...attached].join('\n')
    })
}

/** Returns the seats taken in each booked session, by start; the trigger's count equals that of the appointments. */
export async function countSeatsTaken(
  { database }: TestMeridian,
  calendar: { readonly id: string },
): Promise<number[]> {
  const sessions = await database.db
    .selectFrom('group_sessions')
    .select(({ selectFrom, fn }) => [
      'seats_taken',
      selectFrom('appointments')
        .select(fn.countAll<string>().as('seats'))
        .whereRef('session_id', '=', 'group_sessions.id')
        .where('status', '<>', 'cancelled')
        .where('released_at', 'is', null)
        .as('counted'),
    ])
    .where('calendar_id', '=', calendar.id)
    .where('seats_taken', '>', 0)
    .orderBy('starts_at')
    .execute()
  const taken = sessions.map(({ seats_taken }) => seats_taken)
  expect(taken).toEqual(sessions.map(({ counted }) => Number(counted)))
  return taken
}

import { expect, test } from 'vitest'
import type { MailAddress, MailAttachment, Mailer, OutgoingMail } from '#server/ports/mailer.ts'

/** A message as its recipient reads it. */
export type MailAsRead = Omit<OutgoingMail, 'headers'> & {
  header(name: string): string | undefined
}

type MailerUnderTest = {
  readonly mailer: Mailer
  /** The messages received so far, oldest first. */
  inbox(): Promise<readonly MailAsRead[]>
  stop(): Promise<void>
}

/** Tests that every mailer has to pass. */
export function testMailerContract(start: () => Promise<MailerUnderTest>): void {
  test('a message arrives as it was written', async () => {
    const mail = makeMail()
    const [read, ...rest] = await sendOne(start, mail)
    expect(rest).toEqual([])
    expect(read?.messageId).toBe(mail.messageId)
    expect(read?.from).toEqual(mail.from)
    expect(read?.replyTo).toEqual(mail.replyTo)
    expect(read?.to).toEqual(mail.to)
    expect(read?.subject).toBe(mail.subject)
    expect(read?.text.trimEnd()).toBe(mail.text.trimEnd())
    expect(read?.html.trimEnd()).toBe(mail.html.trimEnd())
    expect(read?.header('auto-submitted')).toBe('auto-generated')
  })

  test('a calendar file arrives to the letter, under its name', async () => {
    const invitation: MailAttachment = {
      filename: 'appointment.ics',
      contentType: 'text/calendar; charset=utf-8; method=REQUEST',
      content: ['BEGIN:VCALENDAR', 'SUMMARY:Erstgespräch \\, näher', 'END:VCALENDAR', ''].join('\r\n'),
    }
    const [read] = await sendOne(start, makeMail({ attachments: [invitation] }))
    const file = read?.attachments.find((attachment) => attachment.filename === 'appointment.ics')
    expect(file?.content).toBe(invitation.content)
  })

  test('a message without a reply address has none', async () => {
    const [read] = await sendOne(start, makeMail({ replyTo: null }))
    expect(read?.replyTo).toBeNull()
  })

  test.each([
    ['quotes and commas', 'Grey, "Mer" <x@evil.example>'],
    ['another script', 'Łukasz Żółć 王小明'],
    ['right-to-left text', 'דנה לוי'],
    ['nothing in it', ''],
  ])('a name with %s arrives as it was typed', async (_what, name) => {
    const address: MailAddress = { name, address: 'meredith@clinic.example' }
    const [read] = await sendOne(start, makeMail({ to: address, replyTo: address }))
    expect(read?.to).toEqual(address)
    expect(read?.replyTo).toEqual(address)
  })

  test('a line break in a name or a subject adds no header and no recipient', async () => {
    const attempt = 'Mallory\r\nBcc: everybody@evil.example\r\nX-Added: yes'
    const address: MailAddress = { name: attempt, address: 'mallory@evil.example' }
    const [read] = await sendOne(
      start,
      makeMail({ subject: attempt, to: address, replyTo: address, from: address }),
    )
    expect(read?.header('bcc')).toBeUndefined()
    expect(read?.header('x-added')).toBeUndefined()
    expect(read?.to.address).toBe('mallory@evil.example')
  })

  test.each([
    ['a second recipient', 'one@clinic.example, two@clinic.example'],
    ['a line break', 'one@clinic.example\r\nRCPT TO:<two@clinic.example>'],
    ['no domain', 'one'],
  ])('an address with %s is refused', async (_what, address) => {
    const { mailer, inbox, stop } = await start()
    await expect(mailer.send(makeMail({ to: { name: 'One', address } }))).rejects.toThrow()
    expect(await inbox()).toEqual([])
    await mailer.close()
    await stop()
  })

  test('closing lets a delivery that has begun arrive, and refuses the next', async () => {
    const { mailer, inbox, stop } = await start()
    await mailer.send(makeMail())
    const second = mailer.send(makeMail({ subject: 'Second' })).then(
      () => 'arrived',
      () => 'refused',
    )
    await mailer.close()
    const outcome = await second
    const subjects = (await inbox()).map((mail) => mail.subject)
    expect(subjects.includes('Second')).toBe(outcome === 'arrived')
    await expect(mailer.send(makeMail())).rejects.toThrow()
    await stop()
  })
}

export function makeMail(changes: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    messageId: '<5f0c6d1e.booking-confirmation.0@book.example>',
    from: { name: 'Dr. Meredith Grey', address: 'appointments@book.example' },
    replyTo: { name: 'Meredith Grey', address: 'meredith@clinic.example' },
    to: { name: 'Alex Meyer', address: 'alex@mail.example' },
    subject: 'Booking confirmed: Tuesday, December 1, 9:30 AM – 10:00 AM',
    text: 'Hello Alex,\n\n.a line that begins with a full stop\n\nZażółć gęślą jaźń €40.00\n',
    html: '<!doctype html><html><body><p>Hello Alex, €40.00</p></body></html>',
    attachments: [],
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...changes,
  }
}

async function sendOne(
  start: () => Promise<MailerUnderTest>,
  mail: OutgoingMail,
): Promise<readonly MailAsRead[]> {
  const { mailer, inbox, stop } = await start()
  await mailer.send(mail)
  await mailer.close()
  const mails = await inbox()
  await stop()
  return mails
}

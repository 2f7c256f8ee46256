import type { AddressObject } from 'mailparser'
import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import type { MailAddress, MailAttachment, OutgoingMail } from '#server/ports/mailer.ts'
import { startDrippingServer } from '#tests/support/dripping-server.ts'
import { type MailAsRead, makeMail, testMailerContract } from '#tests/support/mailer-contract.ts'
import { type ReceivedMail, startSmtpServer } from '#tests/support/smtp-server.ts'
import { buildSmtpMailer } from './adapter.ts'

const TIMEOUT_MS = 300

const INVITATION: MailAttachment = {
  filename: 'appointment.ics',
  contentType: 'text/calendar; charset=utf-8; method=REQUEST',
  content: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:Erstgespräch\r\nEND:VCALENDAR\r\n',
}

describe('the SMTP mailer keeps the contract of the port', () => {
  testMailerContract(async () => {
    const server = await startSmtpServer()
    return {
      mailer: buildSmtpMailer({ url: server.url, timeoutMs: 5_000 }),
      inbox: async () => server.received.map(toReadMail),
      stop: server.stop,
    }
  })
})

describe('what goes over the wire', () => {
  test('the envelope names exactly one recipient and the operator', async () => {
    const { received } = await deliver({}, makeMail())
    expect(received.map((mail) => mail.envelope)).toEqual([
      { from: 'appointments@book.example', to: ['alex@mail.example'] },
    ])
  })

  test('what cannot be delivered is reported to the bounce address, which nobody sees in the message', async () => {
    const server = await startSmtpServer()
    const bounceAddress = 'bounces@book.example'
    const mailer = buildSmtpMailer({ url: server.url, bounceAddress, timeoutMs: 5_000 })
    await mailer.send(makeMail())
    await mailer.close()
    await server.stop()
    expect(server.received[0]?.envelope).toEqual({ from: bounceAddress, to: ['alex@mail.example'] })
    expect(server.received[0]?.raw).not.toContain(bounceAddress)
    expect(server.received[0]?.parsed.headers.get('from')).toMatchObject({
      value: [{ address: 'appointments@book.example' }],
    })
  })

  test('an invitation is an alternative of the text with its method, and a file', async () => {
    const { received } = await deliver({}, makeMail({ attachments: [INVITATION] }))
    const raw = received[0]?.raw ?? ''
    expect(raw).toMatch(/^Content-Type: multipart\/mixed;/m)
    expect(raw).toMatch(/^Content-Type: multipart\/alternative;/m)
    expect(raw).toMatch(/^Content-Type: text\/calendar; charset=utf-8; method=REQUEST\r$/m)
    expect(raw).toMatch(/^Content-Type: application\/ics; name=appointment\.ics\r$/m)
    const alternatives = raw.slice(0, raw.indexOf('application/ics'))
    expect(alternatives.indexOf('text/plain')).toBeLessThan(alternatives.indexOf('text/html'))
    expect(alternatives.indexOf('text/html')).toBeLessThan(alternatives.indexOf('text/calendar'))
    const contents = received[0]?.parsed.attachments.map((part) => part.content.toString('utf8'))
    expect(contents).toEqual([INVITATION.content, INVITATION.content])
  })

  test('a cancellation says so in the part that mail clients read', async () => {
    const cancellation = { ...INVITATION, contentType: 'text/calendar; charset=utf-8; method=CANCEL' }
    const { received } = await deliver({}, makeMail({ attachments: [cancellation] }))
    expect(received[0]?.raw).toMatch(/text\/calendar; charset=utf-8; method=CANCEL/)
  })

  test('no line of a message is longer than SMTP allows', async () => {
    const text = 'ä'.repeat(5_000)
    const { received } = await deliver({}, makeMail({ text, html: `<p>${text}</p>`, subject: text }))
    const longest = Math.max(...(received[0]?.raw ?? '').split('\r\n').map((line) => line.length))
    expect(longest).toBeLessThanOrEqual(998)
    expect(received[0]?.parsed.text).toContain(text)
  })

  test('an address that is not one plain mailbox never leaves the product', async () => {
    const server = await startSmtpServer()
    const mailer = buildSmtpMailer({ url: server.url, timeoutMs: 5_000 })
    for (const address of [
      'a@one.example, b@two.example',
      '"a b"@one.example',
      'a@one.example\r\nDATA',
      '<a@b.c>',
    ]) {
      await expect(mailer.send(makeMail({ to: { name: '', address } }))).rejects.toThrow(/plain mailbox/)
    }
    await mailer.close()
    await server.stop()
    expect(server.connectionCount()).toBe(0)
  })

  test('closing waits for the message that is on its way', async () => {
    const begun = Promise.withResolvers<void>()
    const server = await startSmtpServer({
      onData: (stream, _session, callback) => {
        begun.resolve()
        stream.resume()
        stream.on('end', () => setTimeout(callback, 200))
      },
    })
    const mailer = buildSmtpMailer({ url: server.url, timeoutMs: 5_000 })
    let outcome = 'on its way'
    const delivery = mailer.send(makeMail()).then(() => {
      outcome = 'delivered'
    })
    await begun.promise
    await mailer.close()
    expect(outcome).toBe('delivered')
    await delivery
    await server.stop()
  })

  test('messages share a kept connection', async () => {
    const server = await startSmtpServer()
    const mailer = buildSmtpMailer({ url: server.url, timeoutMs: 5_000 })
    for (const subject of ['One', 'Two', 'Three']) await mailer.send(makeMail({ subject }))
    await mailer.close()
    await server.stop()
    expect(server.received).toHaveLength(3)
    expect(server.connectionCount()).toBe(1)
  })
})

describe('bad days', () => {
  test('a refused recipient is an error that names the answer', async () => {
    const { outcome, received } = await deliver(
      { onRcptTo: (_address, _session, callback) => callback(new Error('No such mailbox here')) },
      makeMail(),
    )
    expect(outcome).toMatch(/answered 5\d\d/)
    // The log must contain neither the recipient nor the server's text about them.
    expect(outcome).not.toContain('@')
    expect(outcome).not.toContain('No such mailbox here')
    expect(received).toEqual([])
  })

  test('a message refused after its text is an error', async () => {
    const { outcome } = await deliver(
      {
        onData: (stream, _session, callback) => {
          stream.resume()
          stream.on('end', () => callback(new Error('Too busy')))
        },
      },
      makeMail(),
    )
    expect(outcome).toMatch(/answered [45]\d\d/)
  })

  test('a connection that breaks after the text is an error, and the message is not sent twice behind our back', async () => {
    let texts = 0
    const server = await startSmtpServer({
      onData: (stream) => {
        texts += 1
        stream.resume()
        // Cut the connection without a response: nobody knows whether the message was accepted.
        stream.on('end', () => server.cut())
      },
    })
    const mailer = buildSmtpMailer({ url: server.url, timeoutMs: 5_000 })
    await expect(mailer.send(makeMail())).rejects.toThrow()
    await mailer.close()
    await server.stop()
    expect(texts).toBe(1)
  })

  test('a server that does not greet is given up after the time-out', async () => {
    const { outcome, elapsedMs } = await deliver({ onConnect: () => {} }, makeMail(), TIMEOUT_MS)
    expect(outcome).toMatch(/greeting|timeout/i)
    // Without our limit, the library would wait 30 s.
    expect(elapsedMs).toBeLessThan(TIMEOUT_MS * 20)
  })

  test('a server that falls silent in the middle is given up after the time-out', async () => {
    const { outcome } = await deliver({ onMailFrom: () => {} }, makeMail(), TIMEOUT_MS)
    expect(outcome).toMatch(/timeout/i)
  })

  test('a server that answers one byte at a time is given up after a bounded time', async () => {
    const server = await startDrippingServer(TIMEOUT_MS / 6)
    const mailer = buildSmtpMailer({ url: server.url, timeoutMs: TIMEOUT_MS })
    await expect(mailer.send(makeMail())).rejects.toThrow(/abort/i)
    await mailer.close()
    await server.stop()
  })

  test('a server that is away is an error, and the same mailer delivers when it is back', async () => {
    const first = await startSmtpServer()
    await first.stop()
    const mailer = buildSmtpMailer({ url: first.url, timeoutMs: 5_000 })
    await expect(mailer.send(makeMail())).rejects.toThrow(/ECONNREFUSED/)
    const port = Number(new URL(first.url).port)
    const second = await startSmtpServer({}, port)
    await mailer.send(makeMail())
    await mailer.close()
    await second.stop()
    expect(second.received).toHaveLength(1)
  })

  test('a kept connection that the server closed meanwhile does not lose a message', async () => {
    const server = await startSmtpServer()
    const mailer = buildSmtpMailer({ url: server.url, timeoutMs: 5_000 })
    await mailer.send(makeMail({ subject: 'One' }))
    server.cut()
    await mailer.send(makeMail({ subject: 'Two' }))
    await mailer.close()
    await server.stop()
    expect(server.received.map((mail) => mail.parsed.subject)).toEqual(['One', 'Two'])
  })
})

type Delivery = {
  readonly outcome: string
  readonly elapsedMs: number
  readonly received: readonly ReceivedMail[]
}

/** Sends one message to a separate server. `outcome` is `delivered` or the error. */
async function deliver(
  overrides: SMTPServerOptions,
  mail: OutgoingMail,
  timeoutMs = 5_000,
): Promise<Delivery> {
  const server = await startSmtpServer(overrides)
  const mailer = buildSmtpMailer({ url: server.url, timeoutMs })
  const startedAt = performance.now()
  const outcome = await mailer.send(mail).then(
    () => 'delivered',
    (error: Error) => error.message,
  )
  const elapsedMs = performance.now() - startedAt
  await mailer.close()
  server.cut()
  await server.stop()
  return { outcome, elapsedMs, received: server.received }
}

function toReadMail({ parsed }: ReceivedMail): MailAsRead {
  return {
    messageId: parsed.messageId ?? '',
    from: firstAddress(parsed.from),
    replyTo: parsed.replyTo === undefined ? null : firstAddress(parsed.replyTo),
    to: firstAddress(parsed.to),
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html === false ? '' : parsed.html,
    attachments: parsed.attachments.map((part) => ({
      filename: part.filename ?? '',
      contentType: part.contentType,
      content: part.content.toString('utf8'),
    })),
    header: (name) => parsed.headers.get(name)?.toString(),
  }
}

function firstAddress(addresses: AddressObject | AddressObject[] | undefined): MailAddress {
  const first = [addresses].flat()[0]?.value[0]
  return { name: first?.name ?? '', address: first?.address ?? '' }
}

import type { AddressInfo, Socket } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** The envelope and the content of a message that the server received. */
export type ReceivedMail = {
  readonly envelope: { readonly from: string; readonly to: readonly string[] }
  readonly raw: string
  readonly parsed: ParsedMail
}

type TestSmtpServer = {
  readonly url: string
  readonly received: readonly ReceivedMail[]
  /** Returns the number of connections opened so far. */
  connectionCount(): number
  /** Closes every open connection without a reply. */
  cut(): void
  /** From now on, receives messages without replying, until the returned function is called. */
  fallSilent(): () => void
  stop(): Promise<void>
}

/**
 * Starts an SMTP server on loopback, without encryption, that records every message it accepts. `overrides` make it misbehave;
 * port 0 chooses any free port.
 */
export async function startSmtpServer(overrides: SMTPServerOptions = {}, port = 0): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = []
  const sockets: Socket[] = []
  let mayAnswer = Promise.resolve()
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, session, callback) {
      collect(stream)
        .then(async (raw) => {
          const { mailFrom, rcptTo } = session.envelope
          received.push({
            envelope: {
              from: mailFrom === false ? '' : mailFrom.address,
              to: rcptTo.map((recipient) => recipient.address),
            },
            raw: raw.toString('utf8'),
            parsed: await simpleParser(raw, { keepCidLinks: true }),
          })
          await mayAnswer
          callback()
        })
        .catch(callback)
    },
    ...overrides,
  })
  // Some tests disconnect in the middle of a message, which the server reports as an error.
  server.on('error', () => {})
  server.server.on('connection', (socket) => sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  // `address()` returns an object for a TCP server; only a pipe has a string.
  const address = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    connectionCount: () => sockets.length,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    fallSilent: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      mayAnswer = promise
      return resolve
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

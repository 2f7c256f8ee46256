import { text } from 'node:stream/consumers'
import { startSmtpServer } from '#tests/support/smtp-server.ts'

/** A mail server that counts messages by Message-ID and records their recipients. */
export type CountingMailServer = {
  readonly url: string
  /** Returns the number of messages received, including duplicates. */
  readonly count: () => number
  readonly countOf: (messageId: string) => number
  readonly recipientsOf: (messageId: string) => ReadonlySet<string>
  /** Returns the number of duplicates. */
  readonly repeatedCount: () => number
  readonly stop: () => Promise<void>
}

export async function startCountingMailServer(): Promise<CountingMailServer> {
  const arrived = new Map<string, { count: number; recipients: Set<string> }>()
  let count = 0
  const server = await startSmtpServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, session, callback) {
      text(stream).then((raw) => {
        const messageId = /^Message-ID: *(\S+)/im.exec(raw)?.[1] ?? 'none'
        const known = arrived.get(messageId) ?? { count: 0, recipients: new Set() }
        known.count += 1
        for (const { address } of session.envelope.rcptTo) known.recipients.add(address)
        arrived.set(messageId, known)
        count += 1
        callback()
      }, callback)
    },
  })
  return {
    url: server.url,
    count: () => count,
    countOf: (messageId) => arrived.get(messageId)?.count ?? 0,
    recipientsOf: (messageId) => arrived.get(messageId)?.recipients ?? new Set(),
    repeatedCount: () => count - arrived.size,
    stop: server.stop,
  }
}

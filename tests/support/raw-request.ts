import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'

export type RawResponse = {
  readonly status: number
  /** The response headers, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds from opening the connection until it was closed. */
  readonly tookMs: number
}

/**
 * Sends lines unchanged over a separate connection, and reads until the server closes it. For requests that no client library
 * would send. `slowly` is written after the lines, one byte every `everyMs`, for as long as the connection lasts.
 */
export async function sendRawRequest(
  port: number,
  lines: readonly string[],
  slowly?: { readonly bytes: string; readonly everyMs: number },
): Promise<RawResponse> {
  const startMs = performance.now()
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text
  })
  // A server that closes a connection may reset it. The response received before that still counts.
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write(lines.join('\r\n'))
  for (const byte of slowly?.bytes ?? '') {
    if (socket.destroyed || slowly === undefined) break
    socket.write(byte)
    await Promise.race([setTimeout(slowly.everyMs), closed])
  }
  await closed
  return { ...readAnswer(answer), tookMs: performance.now() - startMs }
}

function readAnswer(answer: string): Omit<RawResponse, 'tookMs'> {
  const [head = '', ...body] = answer.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: body.join('\r\n\r\n'),
  }
}

/** Sends the beginning of a request, and closes the connection after `waitMs`. */
export async function disconnectAfter(port: number, lines: readonly string[], waitMs: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(lines.join('\r\n'))
  await setTimeout(waitMs)
  socket.destroy()
}

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * A provider's fault. `loses_answers`: the provider writes an event, but the connection closes before its response; reads
 * succeed, because Meridian contacts a provider less often after a failed read. `refuses`: no server listens. `hangs`: no
 * response arrives. `fails`: every response is a 503.
 */
export type ProxyFault = 'open' | 'loses_answers' | 'refuses' | 'hangs' | 'fails'

export type FaultyProviderProxy = {
  /** The URL through which Meridian reaches the provider. */
  readonly url: string
  /** Sets the fault: closes all open connections and applies the fault to new ones. */
  readonly turn: (state: ProxyFault) => Promise<void>
  /** Connections that were closed, left hanging or answered with 503 since the start. Refused connections are not counted. */
  readonly turnedAwayCount: () => number
  readonly stop: () => Promise<void>
}

/** Matches the first line of a request that writes a calendar event. */
const WRITES_EVENT = /^(POST|PUT|PATCH) \S*\/events(\/(?!watch)[^\s/?]+)?[\s?]/
const UNAVAILABLE = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'

/** Starts a proxy on loopback in front of a provider's server at `target`. */
export async function startFaultyProviderProxy(target: string): Promise<FaultyProviderProxy> {
  const targetPort = Number(new URL(target).port)
  const sockets = new Set<Socket>()
  let state: ProxyFault = 'open'
  let turnedAway = 0

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The proxy closes connections on purpose, which the other side reports as an error.
    socket.on('error', () => socket.destroy())
    return socket
  }

  const server = createServer((socket) => {
    keep(socket)
    if (state !== 'open' && state !== 'loses_answers') turnedAway += 1
    if (state === 'hangs' || state === 'refuses') return
    if (state === 'fails') {
      socket.once('data', () => socket.end(UNAVAILABLE))
      return
    }
    const provider = keep(connect(targetPort, '127.0.0.1'))
    socket.pipe(provider)
    socket.on('close', () => provider.destroy())
    provider.on('close', () => socket.destroy())
    if (state === 'open') provider.pipe(socket)
    else loseAnswersToWrites(socket, provider)
  })

  function loseAnswersToWrites(socket: Socket, provider: Socket): void {
    let isWrite = false
    socket.on('data', (request) => {
      isWrite ||= WRITES_EVENT.test(request.toString('latin1'))
    })
    provider.on('data', (answer) => {
      if (!isWrite) {
        socket.write(answer)
        return
      }
      turnedAway += 1
      socket.destroy()
    })
  }

  await listen(server, 0)
  // `address()` returns an object for a TCP server; only a pipe has a string.
  const { port } = server.address() as AddressInfo

  async function turn(next: ProxyFault): Promise<void> {
    state = next
    const isClosing = next === 'refuses' && server.listening
    const closed = isClosing ? new Promise((resolve) => server.close(resolve)) : null
    for (const socket of sockets) socket.destroy()
    await closed
    if (next !== 'refuses' && !server.listening) await listen(server, port)
  }

  return {
    url: `http://127.0.0.1:${port}`,
    turn,
    turnedAwayCount: () => turnedAway,
    stop: () => turn('refuses'),
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * How a provider can be away. `loses_answers`: it writes an event, and the connection ends before its answer; reads succeed, because
 * the product asks a provider less often once a read has failed. `refuses`: nothing listens. `hangs`: nobody answers. `fails`: every
 * answer is a 503.
 */
export type GateState = 'open' | 'loses_answers' | 'refuses' | 'hangs' | 'fails'

export type ProviderGate = {
  /** Where the product reaches the provider. */
  readonly url: string
  /** Ends every connection; those that come are treated in the new way. */
  readonly turn: (state: GateState) => Promise<void>
  /** Connections that were cut, left waiting or answered with 503 since the start. Refused connections are not counted. */
  readonly turnedAwayCount: () => number
  readonly stop: () => Promise<void>
}

/** The first line of a request that writes an event of a calendar. */
const WRITES_EVENT = /^(POST|PUT|PATCH) \S*\/events(\/(?!watch)[^\s/?]+)?[\s?]/
const UNAVAILABLE = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'

/** Stands before the server of a provider at `target`, on loopback. */
export async function startProviderGate(target: string): Promise<ProviderGate> {
  const targetPort = Number(new URL(target).port)
  const sockets = new Set<Socket>()
  let state: GateState = 'open'
  let turnedAway = 0

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // Connections are ended in the middle on purpose.
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
  // A listening TCP server has an address object, never a pipe name.
  const { port } = server.address() as AddressInfo

  async function turn(next: GateState): Promise<void> {
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

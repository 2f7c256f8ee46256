import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long requests under way may take to finish when the server closes, in milliseconds. */
const FINISH_MS = 3_000

/**
 * Keeps a stop from waiting for others. Connections without a request (browsers open some in advance) are closed at
 * once, and connections whose request has not been answered after a while are cut. Node itself would wait for minutes.
 */
export function registerPromptClose(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    setTimeout(() => app.server.closeAllConnections(), FINISH_MS).unref()
  })
}

import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long running requests may take to finish on shutdown, in milliseconds. */
const FINISH_MS = 3_000

/**
 * Keeps shutdown from waiting for clients: closes connections without a request at once (browsers open some in
 * advance), and cuts unfinished requests after a while. Node alone would wait for minutes.
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

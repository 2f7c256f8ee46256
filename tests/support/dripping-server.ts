import { type AddressInfo, createServer, type Socket } from 'node:net'

/**
 * Starts a server that greets and then never completes its response: it sends one line every `everyMs`, so that it is never
 * silent for long.
 */
export async function startDrippingServer(everyMs: number): Promise<{ url: string; stop(): Promise<void> }> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write('220 hello\r\n')
    const dripping = setInterval(() => socket.write('250-a\r\n'), everyMs)
    socket.on('close', () => clearInterval(dripping))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // `address()` returns an object for a TCP server; only a pipe has a string.
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

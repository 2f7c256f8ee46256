/** A connection to the inspector of a Node process started with `--inspect=127.0.0.1:<port>`. */
export type Inspector = {
  /** Calls a method of the Chrome DevTools Protocol. */
  readonly call: (method: string) => Promise<Record<string, unknown>>
  readonly close: () => void
}

export async function openInspector(port: number): Promise<Inspector> {
  const [target] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const waiting = new Map<number, (result: Record<string, unknown>) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let calls = 0
  return {
    call(method) {
      calls += 1
      socket.send(JSON.stringify({ id: calls, method }))
      return new Promise((resolve) => waiting.set(calls, resolve))
    },
    close: () => socket.close(),
  }
}

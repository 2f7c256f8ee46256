import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A proxy in front of a CalDAV server that removes features from the server's responses or breaks them. */
export type DavProxy = {
  readonly url: string
  /** The requests received so far, as `METHOD /path`. */
  readonly asked: string[]
  /** Sets the fault; null passes every request on. */
  setFault: (fault: DavFault | null) => void
  readonly stop: () => Promise<void>
}

/** Responds to a request in place of the server. Returns false to pass the request on to the server. */
export type DavFault = (request: IncomingMessage, body: string, answer: ServerResponse) => boolean

/** `edit` changes the body of each response. */
export async function startDavProxy(
  target: string,
  edit: (body: string) => string = (body) => body,
): Promise<DavProxy> {
  let fault: DavFault | null = null
  const asked: string[] = []
  const server = createServer(async (request, answer) => {
    const body = await readBody(request)
    asked.push(`${request.method} ${request.url}`)
    if (fault?.(request, body, answer)) return
    const headers = { ...request.headers }
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding', 'expect'])
      delete headers[name]
    const passedOn = await fetch(new URL(request.url ?? '/', target), {
      method: request.method ?? 'GET',
      // Header values can be arrays only for a few names, none of which the tests send.
      headers: headers as Record<string, string>,
      ...(body === '' ? {} : { body }),
      redirect: 'manual',
    })
    const text = edit(await passedOn.text())
    const kept = Object.fromEntries([...passedOn.headers].filter(([name]) => KEPT_HEADERS.has(name)))
    answer.writeHead(passedOn.status, kept).end(passedOn.status === 204 ? undefined : text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    setFault: (wanted) => {
      fault = wanted
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const KEPT_HEADERS = new Set(['content-type', 'etag', 'location', 'dav', 'allow'])

/** A fault that responds to every request with one status. */
export function respondWithStatus(status: number, headers: Readonly<Record<string, string>> = {}): DavFault {
  return (_request, _body, answer) => {
    answer.writeHead(status, headers).end()
    return true
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

import type { IncomingMessage } from 'node:http'

/** `http://book.example/api/…`, as clients write to a proxy: scheme and host stand before the path. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is

/**
 * The path and query of a request. In an absolute target the host counts and the header Host does not, so the header is
 * set to it. Source: RFC 9112 §3.2.2.
 */
export function readTarget(request: IncomingMessage): string {
  const { url = '/' } = request
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? []
  if (host === undefined) return toReadable(url)
  request.headers.host = host
  return toReadable(rest.startsWith('/') ? rest : `/${rest}`)
}

/**
 * An address whose path cannot be decoded, with its percent signs taken literally: it names nothing that exists, and is
 * answered like every other unknown address.
 */
function toReadable(address: string): string {
  const [path = '', ...query] = address.split('?')
  try {
    decodeURIComponent(path)
    return address
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?')
  }
}

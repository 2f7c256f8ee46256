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
 * An address in which every part of the path can be decoded. A part that cannot is taken with its percent signs as they stand:
 * it names nothing that exists, and is then answered like every other unknown address of the API or of the pages.
 */
function toReadable(address: string): string {
  const [path = '', ...query] = address.split('?')
  return [path.split('/').map(toReadablePart).join('/'), ...query].join('?')
}

function toReadablePart(part: string): string {
  try {
    decodeURIComponent(part)
    return part
  } catch {
    return part.replaceAll('%', '%25')
  }
}

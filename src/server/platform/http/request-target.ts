import type { IncomingMessage } from 'node:http'

/** Absolute form, as clients send it to a proxy: `http://book.example/api/…`. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is

/**
 * Returns the path and query of a request. In the absolute form its host overrides the Host header, which is set
 * accordingly. Source: RFC 9112 §3.2.2.
 */
export function readTarget(request: IncomingMessage): string {
  const { url = '/' } = request
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? []
  if (host === undefined) return toReadable(url)
  request.headers.host = host
  return toReadable(rest.startsWith('/') ? rest : `/${rest}`)
}

/**
 * Makes every path segment decodable. Escapes the percent signs of an undecodable segment: it matches no route and gets
 * the usual 404 of the API or the pages.
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

import type { FastifyRequest } from 'fastify'

/**
 * True when a request is for the API rather than a page. The matched route decides, because one path can be written in
 * many ways (`/%61pi/…`). The path of an unmatched request is decoded as the router would.
 */
export function isApiRequest({ routeOptions, url }: FastifyRequest): boolean {
  return (routeOptions.url ?? decodePath(url)).startsWith('/api/')
}

/** Decodes a path. This cannot fail, because `readRequestTarget` has made every path decodable. */
function decodePath(url: string): string {
  const [path = ''] = url.split('?')
  return decodeURIComponent(path)
}

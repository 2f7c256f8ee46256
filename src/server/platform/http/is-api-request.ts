import type { FastifyRequest } from 'fastify'

/**
 * True when a request is for the API rather than a page. Decided by the matched route, because one path can be written
 * in many ways (`/%61pi/…`); an unmatched path is decoded like the router does.
 */
export function isApiRequest({ routeOptions, url }: FastifyRequest): boolean {
  return (routeOptions.url ?? decodePath(url)).startsWith('/api/')
}

/** `readTarget` has ensured that the path can be decoded. */
function decodePath(url: string): string {
  const [path = ''] = url.split('?')
  return decodeURIComponent(path)
}

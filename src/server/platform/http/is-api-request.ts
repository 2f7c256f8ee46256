import type { FastifyRequest } from 'fastify'

/**
 * Whether a request is for the API and not for a page. The route that answers decides, because one address can be
 * written in many ways (`/%61pi/…`). An address that no route answers is read as the router reads it.
 */
export function isApiRequest({ routeOptions, url }: FastifyRequest): boolean {
  return (routeOptions.url ?? decodePath(url)).startsWith('/api/')
}

/** `readTarget` has made sure that the path can be decoded. */
function decodePath(url: string): string {
  const [path = ''] = url.split('?')
  return decodeURIComponent(path)
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ProblemError } from './problem-error.ts'

export type SecurityOptions = {
  /** The product's own address. HSTS is sent when it is https. */
  readonly baseUrl: string
  /** Vite's development server injects scripts and styles; never true for a built page. */
  readonly allowInline: boolean
  /** Only loopback names are answered: a page of another site cannot reach a development server by its own name. */
  readonly loopbackOnly: boolean
}

/** The Host header of a request that was made by a name of this machine. */
export const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/
const UNSAFE_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Security headers with an enforced Content-Security-Policy, and the refusal of cross-site requests. */
export function registerSecurity(app: FastifyInstance, options: SecurityOptions): void {
  // Put together once: they are the same for every answer.
  const headers = listSecurityHeaders(options)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
  app.addHook('onRequest', async (request) => {
    if (options.loopbackOnly && !LOOPBACK_HOST.test(request.headers.host ?? '')) {
      throw new ProblemError('request.not_found')
    }
    if (UNSAFE_METHODS.has(request.method) && isCrossSite(request))
      throw new ProblemError('request.cross_site')
  })
}

function listSecurityHeaders(options: SecurityOptions): Record<string, string> {
  const inline = options.allowInline ? " 'unsafe-inline'" : ''
  const policy = [
    `default-src 'self'`,
    `script-src 'self'${inline}`,
    `style-src 'self'${inline}`,
    `img-src 'self' https: data:`,
    `connect-src 'self'${options.allowInline ? ' ws:' : ''}`,
    `font-src 'self'`,
    `frame-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ]
  const https = options.baseUrl.startsWith('https:')
  return {
    'content-security-policy': policy.join(';'),
    ...(https ? { 'strict-transport-security': `max-age=${365 * 24 * 60 * 60}` } : {}),
    // What frame-ancestors says, for browsers that do not know it.
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    // Customers come from other people's sites; nothing here needs an isolated process.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-permitted-cross-domain-policies': 'none',
    // The filter of old browsers did harm of its own.
    'x-xss-protection': '0',
  }
}

/**
 * Whether a browser says that another site made it send this. Programs send neither header and are let through:
 * they carry no cookie that the person did not give them.
 */
function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin, host } = request.headers
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}

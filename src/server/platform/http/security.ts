import { createHash } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
export async function registerSecurity(app: FastifyInstance, options: SecurityOptions): Promise<void> {
  const self = ["'self'"]
  const inline = options.allowInline ? ["'self'", "'unsafe-inline'"] : self
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: self,
        scriptSrc: inline,
        styleSrc: inline,
        imgSrc: ["'self'", 'https:', 'data:'],
        connectSrc: options.allowInline ? ["'self'", 'ws:'] : self,
        fontSrc: self,
        frameSrc: self,
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: self,
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: options.baseUrl.startsWith('https:')
      ? { maxAge: 365 * 24 * 60 * 60, includeSubDomains: false }
      : false,
    // What frame-ancestors says, for browsers that do not know it.
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Tabs opened from a mail or a booking page share an agent cluster with them; the header would only warn of it.
    originAgentCluster: false,
    // Customers come from other people's sites; nothing here needs an isolated process.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })
  app.addHook('onRequest', async (request) => {
    if (options.loopbackOnly && !LOOPBACK_HOST.test(request.headers.host ?? '')) {
      throw new ProblemError('request.not_found')
    }
    if (UNSAFE_METHODS.has(request.method) && isCrossSite(request))
      throw new ProblemError('request.cross_site')
  })
}

/** One `<style>` or `<script>` element without attributes, by the hash of its text. */
export type InlineElement = { readonly name: 'style' | 'script'; readonly hash: string }

export function inlineElement(name: InlineElement['name'], text: string): InlineElement {
  return { name, hash: createHash('sha256').update(text).digest('base64') }
}

/** Lets an answer bring these elements: the policy names their hashes, and stays closed to any other. */
export function allowElements(reply: FastifyReply, elements: readonly InlineElement[]): void {
  const policy = reply.getHeader(POLICY_HEADER)
  if (typeof policy !== 'string') return
  const widened = elements.reduce(
    (text, { name, hash }) => text.replace(`${name}-src 'self'`, `$& 'sha256-${hash}'`),
    policy,
  )
  reply.header(POLICY_HEADER, widened)
}

const POLICY_HEADER = 'content-security-policy'

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

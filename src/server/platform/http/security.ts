import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import { POLICY_HEADER } from './inline-elements.ts'
import { isApiRequest } from './is-api-request.ts'
import { ProblemError } from './problem-error.ts'
import { isOnInstallationHost } from './request-hosts.ts'
import { hasLoopbackHost, isProxied } from './this-machine.ts'

export type SecurityOptions = {
  /** The product's own URL. HSTS is sent when the URL is https. */
  readonly baseUrl: string
  /** Allows the inline scripts and styles of Vite's development server; always false for built pages. */
  readonly allowInline: boolean
  /**
   * When true, accepts only requests from this machine under a loopback name; pages of other sites and proxied clients
   * are refused.
   */
  readonly loopbackOnly: boolean
}

/** API pages that people open in a browser. Emails and previews have a policy of their own. */
const API_PAGES = ['/api/docs', '/api/problems']
const UNSAFE_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Adds security headers, with an enforced Content-Security-Policy. */
export function addSecurityHeaders(app: FastifyInstance, options: SecurityOptions): void {
  const ofPages = listHeaders(helmet(securityOfPages(options)))
  const ofAnswers = listHeaders(helmet(securityOfAnswers()))
  app.addHook('onRequest', async (request, reply) => {
    const { url: route = '' } = request.routeOptions
    const isPage = !isApiRequest(request) || API_PAGES.some((path) => route.startsWith(path))
    reply.headers(isPage ? ofPages : ofAnswers)
  })
}

/**
 * Value of the HSTS header: one year, in seconds. It has no includeSubDomains, because subdomains may belong to
 * somebody else.
 */
const TRANSPORT_SECURITY = 'max-age=31536000'

/**
 * Sends HSTS (one year) on the installation's own hosts only: an owner may move a custom domain elsewhere within the
 * year. The header is set once the host is known. If it were set earlier and removed later, a refusal in between would
 * still send it. Source: rule J7.
 */
export function sendHsts(app: FastifyInstance, { baseUrl }: SecurityOptions): void {
  if (!baseUrl.startsWith('https:')) return
  app.addHook('onRequest', async (request, reply) => {
    if (isOnInstallationHost(request)) reply.header('strict-transport-security', TRANSPORT_SECURITY)
  })
}

/** Refuses cross-site requests from browsers. In a sandbox, also refuses requests from other machines. */
export function refuseCrossSiteRequests(app: FastifyInstance, options: SecurityOptions): void {
  app.addHook('onRequest', async (request) => {
    if (options.loopbackOnly) {
      // Only the installation's own host needs this check: calendar hosts serve nothing that a malicious site could
      // exploit (rule J3).
      if (isOnInstallationHost(request) && !hasLoopbackHost(request))
        throw new ProblemError('request.not_found')
      if (isProxied(request)) throw new ProblemError('request.proxied')
    }
    if (UNSAFE_METHODS.has(request.method) && isCrossSite(request, options))
      throw new ProblemError('request.cross_site')
  })
}

function securityOfPages(options: SecurityOptions): HelmetOptions {
  const self = ["'self'"]
  const inline = options.allowInline ? ["'self'", "'unsafe-inline'"] : self
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: self,
        scriptSrc: inline,
        styleSrc: inline,
        // Logos come from our own server, so that visitors' browsers contact no third party (rule K4).
        imgSrc: ["'self'", 'data:'],
        connectSrc: options.allowInline ? ["'self'", 'ws:'] : self,
        fontSrc: self,
        frameSrc: self,
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: self,
        frameAncestors: ["'none'"],
      },
    },
    // Turned off here, because `sendHsts` sends the header, and not on every host.
    strictTransportSecurity: false,
    // Has the same effect as frame-ancestors, for browsers that do not support it.
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Turned off: tabs opened from an email or a booking page share their agent cluster, so the header would only cause
    // warnings.
    originAgentCluster: false,
    // Popups are allowed, because customers arrive from other people's sites, and nothing here needs process isolation.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  }
}

/**
 * Returns the headers of responses other than pages: a policy that allows nothing, and no headers for documents.
 * Source: OWASP, "REST Security".
 */
function securityOfAnswers(): HelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    originAgentCluster: false,
    crossOriginOpenerPolicy: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }
}

/**
 * Returns the headers that helmet would set on every response. Computed once, because helmet rebuilds its policies for
 * each response.
 */
function listHeaders(setHeaders: ReturnType<typeof helmet>): Record<string, string> {
  const headers: Record<string, string> = {}
  const answer = new ServerResponse(new IncomingMessage(new Socket()))
  setHeaders(answer.req, answer, (error?: unknown) => {
    if (error !== undefined) throw error
  })
  for (const [name, value] of Object.entries(answer.getHeaders())) headers[name] = String(value)
  return headers
}

/**
 * Allows the listed origins, or any site when `sites` is null, to show this response in a frame. Our own pages always
 * may, for the preview next to the branding form. The older header X-Frame-Options cannot list other sites, so it is
 * sent only when none is allowed. Source: rules W19 and K9.
 */
export function allowEmbedding(reply: FastifyReply, sites: readonly string[] | null): void {
  const policy = reply.getHeader(POLICY_HEADER)
  if (typeof policy !== 'string') return
  const ancestors = sites === null ? '*' : ["'self'", ...sites].join(' ')
  reply.header(POLICY_HEADER, policy.replace("frame-ancestors 'none'", `frame-ancestors ${ancestors}`))
  if (sites?.length === 0) reply.header('x-frame-options', 'SAMEORIGIN')
  else reply.removeHeader('x-frame-options')
}

/**
 * Restricts a page's scripts to requests to these paths, and forbids forms. The page's own headers set this policy, and
 * not the frame around it: a page of the same origin could remove its frame's sandbox, but a script cannot change the
 * headers of its page. Source: rule K9.
 */
export function restrictPageRequests(
  request: FastifyRequest,
  reply: FastifyReply,
  paths: readonly string[],
): void {
  const policy = reply.getHeader(POLICY_HEADER)
  if (typeof policy !== 'string') return
  const asked = paths.length === 0 ? "'none'" : paths.map((path) => request.host + path).join(' ')
  const confined = policy
    .replace("connect-src 'self'", `connect-src ${asked}`)
    .replace("form-action 'self'", "form-action 'none'")
  reply.header(POLICY_HEADER, confined)
}

/**
 * True when browser headers show that another site triggered the request. Programs send neither header and are
 * accepted: a program has no cookies unless a person gave them to it.
 */
function isCrossSite(request: FastifyRequest, { baseUrl }: SecurityOptions): boolean {
  const { headers, host } = request
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  const from = new URL(origin)
  // A proxy that does not forward Host sends its own name instead, so recognise our own pages by the public URL.
  if (isOnInstallationHost(request) && from.origin === baseUrl) return false
  // If the product uses https, do not accept an unencrypted page on the same host, which somebody on the network could
  // have injected.
  const protocols = baseUrl.startsWith('https:') ? ['https:'] : ['https:', 'http:']
  // Use the same protocol for both, so that default ports are omitted in both.
  const own = `${from.protocol}//${host}`
  return !protocols.includes(from.protocol) || !URL.canParse(own) || new URL(own).host !== from.host
}

import { createHash } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import { isApiRequest } from './is-api-request.ts'
import { ProblemError } from './problem-error.ts'
import { isOnOwnHost } from './request-hosts.ts'
import { hasLoopbackHost, isProxied } from './this-machine.ts'

export type SecurityOptions = {
  /** The product's own address. HSTS is sent when it is https. */
  readonly baseUrl: string
  /** Vite's development server injects scripts and styles; never true for a built page. */
  readonly allowInline: boolean
  /**
   * Only requests from this machine, by its own name, are answered: pages of other sites and clients behind a proxy are
   * refused.
   */
  readonly loopbackOnly: boolean
}

/** For addresses of the API that people open; mails in the mailbox and previews have a policy of their own. */
const API_PAGES = ['/api/docs', '/api/problems']
const UNSAFE_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Security headers with an enforced Content-Security-Policy. */
export function addSecurityHeaders(app: FastifyInstance, options: SecurityOptions): void {
  const ofPages = listHeaders(helmet(securityOfPages(options)))
  const ofAnswers = listHeaders(helmet(securityOfAnswers()))
  app.addHook('onRequest', async (request, reply) => {
    const { url: route = '' } = request.routeOptions
    const isPage = !isApiRequest(request) || API_PAGES.some((path) => route.startsWith(path))
    reply.headers(isPage ? ofPages : ofAnswers)
  })
}

/** A year, in seconds. Other hosts below may be somebody else's. */
const TRANSPORT_SECURITY = 'max-age=31536000'

/**
 * Promises encryption for a year (HSTS) on the installation's own hosts. A domain of an owner may go somewhere else before the year is
 * over. It comes once the host is known, and not by taking the header off again: a refusal in between would keep it. Source: rule J7.
 */
export function sendHsts(app: FastifyInstance, { baseUrl }: SecurityOptions): void {
  if (!baseUrl.startsWith('https:')) return
  app.addHook('onRequest', async (request, reply) => {
    if (isOnOwnHost(request)) reply.header('strict-transport-security', TRANSPORT_SECURITY)
  })
}

/** Refuses what another site makes a browser send, and in a sandbox what comes from another machine. */
export function refuseCrossSiteRequests(app: FastifyInstance, options: SecurityOptions): void {
  app.addHook('onRequest', async (request) => {
    if (options.loopbackOnly) {
      // Hosts of calendars have nothing that a page of another site could be after (rule J3).
      if (isOnOwnHost(request) && !hasLoopbackHost(request)) throw new ProblemError('request.not_found')
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
        // A logo is served by us, so that no visitor's browser contacts anybody else (rule K4).
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
    // `sendHsts` sends it, not on every host.
    strictTransportSecurity: false,
    // What frame-ancestors says, for browsers that do not know it.
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Tabs opened from a mail or a booking page share an agent cluster with them; the header would only warn of it.
    originAgentCluster: false,
    // Customers come from other people's sites; nothing here needs an isolated process.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  }
}

/**
 * Addresses that are no pages get a policy that allows nothing, and no headers about documents. Source: OWASP, "REST
 * Security".
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
 * The headers that the middleware sets on every answer alike. They are computed once, because it would build its
 * policies anew for each.
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

/** One `<style>` or `<script>` element without attributes, by the hash of its text. */
export type InlineElement = { readonly name: 'style' | 'script'; readonly hash: string }

export function inlineElement(name: InlineElement['name'], text: string): InlineElement {
  return { name, hash: createHash('sha256').update(text).digest('base64') }
}

/** Lets an answer bring these elements: the policy names their hashes and stays closed to any other. */
export function allowInlineElements(reply: FastifyReply, elements: readonly InlineElement[]): void {
  const policy = reply.getHeader(POLICY_HEADER)
  if (typeof policy !== 'string') return
  const widened = elements.reduce(
    (text, { name, hash }) => text.replace(`${name}-src 'self'`, `$& 'sha256-${hash}'`),
    policy,
  )
  reply.header(POLICY_HEADER, widened)
}

/**
 * Lets pages show this answer in a frame: those of the listed origins, or of any site when `sites` is null. Our own pages always may,
 * because the form of the look has a preview in a frame. The older header X-Frame-Options cannot name other sites, so it is sent only
 * where none is allowed. Source: rules W19 and K9.
 */
export function allowFrames(reply: FastifyReply, sites: readonly string[] | null): void {
  const policy = reply.getHeader(POLICY_HEADER)
  if (typeof policy !== 'string') return
  const ancestors = sites === null ? '*' : ["'self'", ...sites].join(' ')
  reply.header(POLICY_HEADER, policy.replace("frame-ancestors 'none'", `frame-ancestors ${ancestors}`))
  if (sites?.length === 0) reply.header('x-frame-options', 'SAMEORIGIN')
  else reply.removeHeader('x-frame-options')
}

/**
 * Takes from a page that its scripts may ask for anything but these paths, and that it may send forms. The page says so itself, and not
 * the frame that shows it: a frame of our own page with the scripts and the origin of that page can take its own sandbox off, which is
 * what browsers warn of. What an answer says of itself, no script changes. Source: rule K9.
 */
export function restrictPage(request: FastifyRequest, reply: FastifyReply, paths: readonly string[]): void {
  const policy = reply.getHeader(POLICY_HEADER)
  if (typeof policy !== 'string') return
  const asked = paths.length === 0 ? "'none'" : paths.map((path) => request.host + path).join(' ')
  const confined = policy
    .replace("connect-src 'self'", `connect-src ${asked}`)
    .replace("form-action 'self'", "form-action 'none'")
  reply.header(POLICY_HEADER, confined)
}

const POLICY_HEADER = 'content-security-policy'

/**
 * Whether a browser says that another site made it send this. Programs send neither header and are let through: they
 * carry no cookie that the person did not give them.
 */
function isCrossSite(request: FastifyRequest, { baseUrl }: SecurityOptions): boolean {
  const { headers, host } = request
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  const from = new URL(origin)
  // A proxy that does not pass Host on names itself there. Our own page is known by the public address.
  if (isOnOwnHost(request) && from.origin === baseUrl) return false
  // Where the product has encryption, an unencrypted page of the same host may come from somebody on the network.
  const protocols = baseUrl.startsWith('https:') ? ['https:'] : ['https:', 'http:']
  // By the same protocol, so that both leave out the port that goes without saying.
  const own = `${from.protocol}//${host}`
  return !protocols.includes(from.protocol) || !URL.canParse(own) || new URL(own).host !== from.host
}

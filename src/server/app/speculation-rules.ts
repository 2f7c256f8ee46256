import type { FastifyInstance, FastifyReply } from 'fastify'

const PATH = '/speculation-rules.json'

/**
 * Pages on which one signs in: to open one beforehand changes nothing. They are another entry; public pages take each
 * other's place without a document being loaded.
 */
const SIGN_IN = [{ href_matches: ['/login', '/register'] }, { not: { href_matches: '/*\\?(.+)' } }]

const RULES = {
  prerender: [
    // Once pointed at: opening takes longer than a hand does from there to the press. A phone, which cannot point, goes by
    // what is in sight, and there the links of the head are in a menu until somebody opens it. Chromium before 141 (2025)
    // does not wait to be pointed at.
    { where: { and: [...SIGN_IN, { selector_matches: 'header a[href="/login"]' }] }, eagerness: 'eager' },
    { where: { and: SIGN_IN }, eagerness: 'moderate' },
  ],
}

/**
 * Browsers that know such rules open the page before its link is let go, and show it at once. Source: WICG, "Speculation
 * Rules".
 */
export function registerSpeculationRules(app: FastifyInstance): void {
  app.get(PATH, { schema: { hide: true } }, (_request, reply) =>
    reply
      .type('application/speculationrules+json')
      .header('cache-control', 'public, max-age=3600')
      .send(JSON.stringify(RULES)),
  )
}

/** Tells the browser of the rules; a page without links to those pages has no use for them. */
export function speculate(reply: FastifyReply): FastifyReply {
  return reply.header('speculation-rules', `"${PATH}"`)
}

import type { FastifyInstance, FastifyReply } from 'fastify'
import { FINDABLE_PATHS } from './crawler-files.ts'

const PATH = '/speculation-rules.json'

/** Pages that say the same to everybody, and those on which one signs in: to open one beforehand changes nothing. */
const RULES = {
  prerender: [
    {
      where: {
        and: [
          { href_matches: [...FINDABLE_PATHS, '/login', '/register'] },
          { not: { href_matches: '/*\\?(.+)' } },
        ],
      },
      // When a link is pressed, or pointed at for a fifth of a second.
      eagerness: 'moderate',
    },
  ],
}

/**
 * Browsers that know such rules open a public page before its link is let go, and show it at once. Source: WICG, "Speculation
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

/** Tells the browser of the rules; a page without links to public pages has no use for them. */
export function speculate(reply: FastifyReply): FastifyReply {
  return reply.header('speculation-rules', `"${PATH}"`)
}

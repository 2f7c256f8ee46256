import type { FastifyInstance } from 'fastify'
import { SITE_PAGES } from '#contract/pages/site-pages.ts'
import { escapeHtml } from '#server/platform/http/plain-page.ts'

/**
 * Files that search engines request. Pages that must not be indexed say `noindex` themselves, which crawlers must be
 * able to read, so only the API is disallowed.
 */
export function registerCrawlerFiles(app: FastifyInstance, baseUrl: string): void {
  const robots = `User-agent: *\nDisallow: /api/\n\nSitemap: ${baseUrl}/sitemap.xml\n`
  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(robots),
  )
  // Booking pages are not listed: owners decide who gets their link.
  const urls = Object.keys(SITE_PAGES).map((path) => `  <url><loc>${escapeHtml(baseUrl + path)}</loc></url>`)
  const sitemap = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>\n',
  ].join('\n')
  app.get('/sitemap.xml', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/xml; charset=utf-8').send(sitemap),
  )
}

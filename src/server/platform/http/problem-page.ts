import type { FastifyInstance } from 'fastify'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { LANGUAGE } from '#core/shared/locale.ts'

/** Path of the page to which a problem's `type` points. It lists every refusal with its code, status and sentence. */
export const PROBLEM_PAGE = '/api/problems'

export function registerProblemPage(app: FastifyInstance): void {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status, title }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td></tr>`,
  )
  const page = `<!doctype html>
<html lang="${LANGUAGE}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Refusals of the Meridian API</title></head>
<body>
<h1>Refusals of the Meridian API</h1>
<p>Each is sent as <code>application/problem+json</code> (RFC 9457). The title is the sentence to show to people.</p>
<table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Title</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</body>
</html>
`
  app.get(PROBLEM_PAGE, { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(page),
  )
}

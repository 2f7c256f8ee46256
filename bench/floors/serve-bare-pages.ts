import { type Floor, serveFloor } from './serve-floor.ts'

const RULES = { prerender: [{ where: { href_matches: '/beforehand' }, eagerness: 'eager' }] }

/** Changes its heading when `/within` is pressed; the browser opens `/beforehand` before that is. */
const FIRST = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>First</title>
<script type="speculationrules">${JSON.stringify(RULES)}</script>
<h1>First</h1><p><a href="/within">Within</a> <a href="/beforehand">Beforehand</a></p>
<script>
document.querySelector('a').addEventListener('click', (event) => {
  event.preventDefault()
  history.pushState(null, '', '/within')
  document.querySelector('h1').textContent = 'Second'
})
</script></html>`
const SECOND =
  '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Second</title><h1>Second</h1></html>'

/** Serves pages with a heading and nothing else: what a browser takes to show one in place of another at all. */
export function serveBarePages(): Promise<Floor> {
  return serveFloor((request, response) => {
    response.setHeader('content-type', 'text/html').end(request.url === '/' ? FIRST : SECOND)
  })
}

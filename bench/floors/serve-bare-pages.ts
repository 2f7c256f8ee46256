import { type Floor, serveFloor } from './serve-floor.ts'

/** Changes its heading and its address when `/second` is pressed. */
const FIRST = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>First</title>
<h1>First</h1><p><a href="/second">Second</a></p>
<script>
document.querySelector('a').addEventListener('click', (event) => {
  event.preventDefault()
  history.pushState(null, '', '/second')
  document.querySelector('h1').textContent = 'Second'
})
</script></html>`

/** Serves a page with a heading and nothing else: what a browser takes to show one in place of another at all. */
export function serveBarePages(): Promise<Floor> {
  return serveFloor((_request, response) => {
    response.setHeader('content-type', 'text/html').end(FIRST)
  })
}

// Opens the owner's day without a connection. It keeps the page itself and the files that it names: code and styles, the same for
// everybody. It keeps no answer of the API: what is known of the day is in the page's own storage, and goes with the session.
// Source: rule Y7.
const KEPT = 'day-page'
const PAGE = '/today'
const FILES = /(?:src|href)="(\/assets\/[^"]+)"/g

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(fetch(PAGE).then(keep))
})

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate' && pathname === PAGE) event.respondWith(openPage(event))
  else if (pathname.startsWith('/assets/')) event.respondWith(openFile(request))
})

/** The page of the server, and the kept one when the server does not answer. */
async function openPage(event) {
  try {
    const page = await fetch(event.request)
    if (page.ok) event.waitUntil(keep(page.clone()))
    return page
  } catch (error) {
    const kept = await (await caches.open(KEPT)).match(PAGE)
    if (kept === undefined) throw error
    return kept
  }
}

/** Files have their content in their names: a kept one is never another one. */
async function openFile(request) {
  const kept = await (await caches.open(KEPT)).match(request.url)
  return kept ?? fetch(request)
}

/** Keeps a page with its files, in place of those of an earlier version. */
async function keep(page) {
  if (!page.ok || page.redirected) return
  const cache = await caches.open(KEPT)
  const html = await page.clone().text()
  const files = new Set([...html.matchAll(FILES)].map(([, file]) => file))
  const known = await cache.keys()
  const isKnown = (file) => known.some(({ url }) => new URL(url).pathname === file)
  await cache.addAll([...files].filter((file) => !isKnown(file)))
  await cache.put(PAGE, page)
  const isOld = ({ url }) => new URL(url).pathname !== PAGE && !files.has(new URL(url).pathname)
  await Promise.all(known.filter(isOld).map((request) => cache.delete(request)))
}

import type { FrameMessage, FrameSettings, FrameTheme, HostMessage } from './messages.ts'

/**
 * The script of an embedded booking page. The server adds it before all others, and only to embedded pages.
 * Source: rules W20 and W21.
 */

const STYLE = `
body,#root{min-height:0!important}
nav[aria-label=Main]{display:none!important}
main{padding:1rem .25rem!important}
#root~footer{border:0}
:root[data-embedded]{background:none}
:root[data-window] main{padding:0 1rem 1rem!important}
:root[data-follows]{overflow:clip}`

const root = document.documentElement
const sheet = new CSSStyleSheet()
sheet.replaceSync(STYLE)
document.adoptedStyleSheets = [sheet]
const settings = readSettings()
if (settings !== null) connect(settings)
keepOthersOutside()

/** Reads the settings that the embedding page has written into `window.name`. Returns null if there are none. */
function readSettings(): FrameSettings | null {
  try {
    const settings: FrameSettings | null = JSON.parse(self.name)
    // A page without an origin, such as a local file, cannot receive messages.
    return settings?.nonce && settings.origin !== 'null' && parent !== self ? settings : null
  } catch {
    return null
  }
}

function connect({ nonce, origin, theme, isInline }: FrameSettings): void {
  const tell = (message: FrameMessage) => parent.postMessage(message, origin)
  keepTheme(theme)
  root.toggleAttribute('data-embedded', true)
  root.toggleAttribute('data-window', !isInline)
  addEventListener('message', (event: MessageEvent<HostMessage | null>) => {
    if (event.source !== parent || event.origin !== origin || event.data?.nonce !== nonce) return
    keepTheme(event.data.theme)
    // The embedding page has responded, so it adapts the frame to this page's height, and this page needs no scrollbar.
    root.toggleAttribute('data-follows', isInline)
  })
  addEventListener('meridian:booked', () => tell({ nonce, type: 'booked' }))
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !isInline) tell({ nonce, type: 'close' })
  })
  tell({ nonce, type: 'ready' })
  const height = () => Math.ceil(root.getBoundingClientRect().height)
  if (isInline) new ResizeObserver(() => tell({ nonce, type: 'height', height: height() })).observe(root)
}

let wanted: FrameTheme | undefined

/** Applies the theme of the embedding page, even if the visitor has chosen another one on the booking page itself. */
function keepTheme(theme: FrameTheme): void {
  if (wanted === undefined) {
    new MutationObserver(() => wear()).observe(root, { attributeFilter: ['data-theme'] })
  }
  wanted = theme
  wear()
}

function wear(): void {
  if (root.dataset.theme !== wanted) root.dataset.theme = wanted
}

/**
 * Opens links in a new tab, because only the booking page itself may be embedded. Download links are left alone.
 */
function keepOthersOutside(): void {
  addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (link === null || link.target !== '' || !link.protocol.startsWith('http')) return
      if (link.hasAttribute('download')) return
      if (isThisPage(link) && link.search === location.search && link.hash !== '') return
      if (isThisPage(link) || isBookingPage(link)) stayEmbedded(link)
      else link.target = '_blank'
    },
    { capture: true },
  )
}

/** True for links to this page. On a calendar's own host, the booking page is at the root. */
function isThisPage({ origin, pathname }: HTMLAnchorElement): boolean {
  return origin === location.origin && pathname === location.pathname
}

function isBookingPage({ pathname }: HTMLAnchorElement): boolean {
  return location.pathname.startsWith(pathname) && /^\/book\/[^/]+$/.test(pathname)
}

function stayEmbedded(link: HTMLAnchorElement): void {
  if (!link.search.includes('embed')) link.search += link.search ? '&embed' : 'embed'
}

import type { FrameMessage, FrameSettings, FrameTheme, HostMessage } from './messages.ts'

/**
 * The part of the booking page that a page of another site shows in a frame. The server adds it in that case alone, before
 * everything else. Source: rules W20 and W21.
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

/** What the embedding page has written into the name of this frame, or null. */
function readSettings(): FrameSettings | null {
  try {
    const settings: FrameSettings | null = JSON.parse(self.name)
    // A page without an origin, such as a file on a disk, can get no messages from here.
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
    // The page around has answered, so the frame follows the height of this page, which then needs no scrollbar.
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

/** Keeps the look of the page around the frame, even where the visitor chose another one on the booking page itself before. */
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
 * Everything but the booking page itself opens in a tab of its own: no other page may be shown in a frame. A link to a file stays as it
 * is, because it opens no page.
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

/** On a host of its own, the booking page is at the root, where other sites have their home page. */
function isThisPage({ origin, pathname }: HTMLAnchorElement): boolean {
  return origin === location.origin && pathname === location.pathname
}

function isBookingPage({ pathname }: HTMLAnchorElement): boolean {
  return location.pathname.startsWith(pathname) && /^\/book\/[^/]+$/.test(pathname)
}

function stayEmbedded(link: HTMLAnchorElement): void {
  if (!link.search.includes('embed')) link.search += link.search ? '&embed' : 'embed'
}

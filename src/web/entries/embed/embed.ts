import { replaceLinkByFrame } from './inline.ts'
import { openPopupOnClick } from './popup.ts'

/**
 * The script that websites load to embed a booking page. It turns links such as `<a href="…/book/slug" data-meridian="inline">`
 * into frames and dialogs. Where the script does not run, they remain links to the booking page. Source: rule W18.
 */

const STYLE = `
a[data-meridian][data-color]{display:inline-block;padding:.8em 1.4em;border-radius:.6em;text-decoration:none}
a[data-meridian=float]{position:fixed;right:20px;bottom:20px;z-index:9999999}
.meridian{padding:0;border:0;width:min(100vw,760px);height:100dvh;max-width:100%;max-height:100%;color:CanvasText;background:Canvas}
.meridian[open]{display:flex;flex-direction:column}
.meridian::backdrop{background:#0008}
.meridian>button{align-self:flex-end;width:44px;height:44px;border:0;background:none;font-size:20px}
.meridian>iframe{flex:1}
@media(min-width:761px){.meridian{height:min(96dvh,900px);border-radius:12px}}`

/** Activates all links, once each, even if the page includes this script twice. Also called for links that are added later. */
function takeLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(
    'a[data-meridian][href]:not([data-taken])',
  )) {
    link.dataset.taken = ''
    if (link.dataset.meridian === 'inline') replaceLinkByFrame(link)
    else openPopupOnClick(link)
  }
}

function start(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  takeLinks()
  new MutationObserver(takeLinks).observe(document, { childList: true, subtree: true })
}

if ('adoptedStyleSheets' in document) {
  if (document.body) start()
  else addEventListener('DOMContentLoaded', start)
}

import { findTheme, followLook } from './host-theme.ts'
import type { FrameMessage, FrameSettings, HostMessage } from './messages.ts'

type BookingFrame = {
  /** Called with each message of the booking page. */
  readonly onMessage: (message: FrameMessage) => void
  /** The booking page did not answer, as where this site may not show it. */
  readonly onSilence: () => void
  readonly isInline: boolean
}

/** How long the page may take to answer once the frame has loaded. */
const ANSWER_MS = 5_000

/** A frame with the booking page to which `link` leads. */
export function makeFrame(link: HTMLAnchorElement, { onMessage, onSilence, isInline }: BookingFrame) {
  const frame = document.createElement('iframe')
  const address = new URL(link.href)
  address.search = 'embed'
  const nonce = crypto.getRandomValues(new Uint32Array(4)).join('-')
  let { origin: target } = address
  let hasAnswered = false
  let theme = findTheme(link, isInline)
  const settings: FrameSettings = { nonce, origin: self.origin, theme, isInline }
  frame.name = JSON.stringify(settings)
  frame.title = link.textContent.trim()
  frame.style.cssText = `display:block;width:100%;height:640px;border:0;color-scheme:${theme}`
  frame.src = address.href

  const sendTheme = () => {
    // The same scheme on both sides, or the browser paints a box behind the frame.
    frame.style.colorScheme = theme
    frame.contentWindow?.postMessage({ nonce, theme } satisfies HostMessage, target)
  }
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== frame.contentWindow || data?.nonce !== nonce) return
    // An earlier address leads to the present one, which is known by its first answer: the nonce is known to our page alone.
    if (!hasAnswered) target = origin
    if (origin !== target) return
    const message: FrameMessage = data
    if (message.type === 'ready') {
      hasAnswered = true
      sendTheme()
    }
    if (message.type !== 'close') tell(link, message.type)
    onMessage(message)
  })
  followLook(() => {
    const next = findTheme(link, isInline)
    if (next === theme) return
    theme = next
    sendTheme()
  })
  frame.onload = () => setTimeout(() => hasAnswered || onSilence(), ANSWER_MS)
  return frame
}

/** Tells the scripts of the page, such as one that counts bookings. Source: rule W21. */
export function tell(link: HTMLAnchorElement, what: string): void {
  if (what === 'height') return
  const detail = { url: link.href }
  link.dispatchEvent(new CustomEvent(`meridian:${what}`, { bubbles: true, detail }))
}

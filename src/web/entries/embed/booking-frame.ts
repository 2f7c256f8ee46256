import { detectHostTheme, onHostThemeChange } from './host-theme.ts'
import type { FrameMessage, FrameSettings, HostMessage } from './messages.ts'

type BookingFrame = {
  /** Called with each message from the booking page. */
  readonly onMessage: (message: FrameMessage) => void
  /** Called when the booking page does not respond, for example because this site may not embed it. */
  readonly onSilence: () => void
  readonly isInline: boolean
}

/** How long the booking page may take to respond after the frame has loaded, in ms. */
const ANSWER_MS = 5_000

/** Makes an iframe with the booking page of `link`. */
export function createBookingFrame(
  link: HTMLAnchorElement,
  { onMessage, onSilence, isInline }: BookingFrame,
) {
  const frame = document.createElement('iframe')
  const address = new URL(link.href)
  address.search = 'embed'
  const nonce = crypto.getRandomValues(new Uint32Array(4)).join('-')
  let { origin: target } = address
  let hasAnswered = false
  let theme = detectHostTheme(link, isInline)
  const settings: FrameSettings = { nonce, origin: self.origin, theme, isInline }
  frame.name = JSON.stringify(settings)
  frame.title = link.textContent.trim()
  frame.style.cssText = `display:block;width:100%;height:640px;border:0;color-scheme:${theme}`
  frame.src = address.href

  const sendTheme = () => {
    // Page and frame need the same colour scheme, or the browser paints an opaque background behind the frame.
    frame.style.colorScheme = theme
    frame.contentWindow?.postMessage({ nonce, theme } satisfies HostMessage, target)
  }
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== frame.contentWindow || data?.nonce !== nonce) return
    // An old URL of the calendar redirects to another origin, which is unknown until the first message. That message can be
    // trusted, because only our page knows the nonce.
    if (!hasAnswered) target = origin
    if (origin !== target) return
    const message: FrameMessage = data
    if (message.type === 'ready') {
      hasAnswered = true
      sendTheme()
    }
    if (message.type !== 'close') dispatchHostEvent(link, message.type)
    onMessage(message)
  })
  onHostThemeChange(() => {
    const next = detectHostTheme(link, isInline)
    if (next === theme) return
    theme = next
    sendTheme()
  })
  frame.onload = () => setTimeout(() => hasAnswered || onSilence(), ANSWER_MS)
  return frame
}

/** Dispatches an event for scripts of the embedding page, for example analytics. Source: rule W21. */
export function dispatchHostEvent(link: HTMLAnchorElement, what: string): void {
  if (what === 'height') return
  const detail = { url: link.href }
  link.dispatchEvent(new CustomEvent(`meridian:${what}`, { bubbles: true, detail }))
}

import { createBookingFrame } from './booking-frame.ts'

/** Replaces a link by an inline frame with the booking page. If the page cannot be shown, the link reappears. */
export function replaceLinkByFrame(link: HTMLAnchorElement): void {
  const frame = createBookingFrame(link, {
    isInline: true,
    onMessage: (message) => {
      if (message.type === 'height') frame.style.height = `${message.height}px`
      // The page has become shorter, and its heading may have scrolled out of view.
      if (message.type === 'booked' && frame.getBoundingClientRect().top < 0) frame.scrollIntoView()
    },
    onSilence: () => {
      frame.remove()
      link.style.display = ''
    },
  })
  link.style.display = 'none'
  link.after(frame)
}

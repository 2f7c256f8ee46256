import { makeFrame } from './booking-frame.ts'

/** Shows the booking page in the place of its link. The link comes back where the page cannot be shown. */
export function showInline(link: HTMLAnchorElement): void {
  const frame = makeFrame(link, {
    isInline: true,
    onMessage: (message) => {
      if (message.type === 'height') frame.style.height = `${message.height}px`
      // The page has become shorter, and its heading may be out of sight.
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

import { createBookingFrame, dispatchHostEvent } from './booking-frame.ts'
import { isLightColor } from './host-theme.ts'

/** Opens the booking page in a dialog when the link is clicked. Typed text survives closing the dialog. */
export function openPopupOnClick(link: HTMLAnchorElement): void {
  paint(link)
  let dialog: HTMLDialogElement | undefined
  link.addEventListener('click', (event) => {
    // A click with a modifier key opens a tab, as for every link.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    dialog ??= makeDialog(link)
    const frame = dialog.querySelector('iframe')
    dialog.style.colorScheme = frame?.style.colorScheme ?? ''
    lockScroll(dialog)
    dialog.showModal()
    frame?.focus()
  })
}

function makeDialog(link: HTMLAnchorElement): HTMLDialogElement {
  const dialog = document.createElement('dialog')
  const close = document.createElement('button')
  const frame = createBookingFrame(link, {
    isInline: false,
    onMessage: ({ type }) => type === 'close' && dialog.close(),
    onSilence: () => dialog.open && location.assign(link.href),
  })
  dialog.className = 'meridian'
  dialog.ariaLabel = frame.title
  close.ariaLabel = link.dataset.close ?? 'Close'
  close.textContent = '✕'
  close.onclick = () => dialog.close()
  dialog.append(close, frame)
  dialog.addEventListener('close', () => dispatchHostEvent(link, 'closed'))
  document.body.append(dialog)
  return dialog
}

/** Prevents the page behind the dialog from scrolling, and from shifting when its scrollbar disappears. */
function lockScroll(dialog: HTMLDialogElement): void {
  const { style, clientWidth } = document.documentElement
  const { overflow, paddingRight } = style
  style.paddingRight = `${innerWidth - clientWidth}px`
  style.overflow = 'hidden'
  dialog.addEventListener('close', () => Object.assign(style, { overflow, paddingRight }), { once: true })
}

/** Sets the link's background to `data-color`, with a readable text colour. */
function paint({ dataset, style }: HTMLAnchorElement): void {
  const { color } = dataset
  if (!color) return
  style.background = color
  style.color = isLightColor(style.backgroundColor) ? '#000' : '#fff'
}

import { makeFrame, tell } from './booking-frame.ts'
import { isLightColor } from './host-theme.ts'

/** Opens the booking page in a window over this one when the link is pressed. What was typed stays when it is closed. */
export function openOnPress(link: HTMLAnchorElement): void {
  paint(link)
  let dialog: HTMLDialogElement | undefined
  link.addEventListener('click', (event) => {
    // A press with a key opens the link in a tab, as everywhere.
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
  const frame = makeFrame(link, {
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
  dialog.addEventListener('close', () => tell(link, 'closed'))
  document.body.append(dialog)
  return dialog
}

/** The page behind stays where it is, also where its scrollbar takes room. */
function lockScroll(dialog: HTMLDialogElement): void {
  const { style, clientWidth } = document.documentElement
  const { overflow, paddingRight } = style
  style.paddingRight = `${innerWidth - clientWidth}px`
  style.overflow = 'hidden'
  dialog.addEventListener('close', () => Object.assign(style, { overflow, paddingRight }), { once: true })
}

/** The colour of the practice (`data-color`), with text that can be read on it. */
function paint({ dataset, style }: HTMLAnchorElement): void {
  const { color } = dataset
  if (!color) return
  style.background = color
  style.color = isLightColor(style.backgroundColor) ? '#000' : '#fff'
}

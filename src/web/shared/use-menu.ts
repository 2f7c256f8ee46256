import { type RefObject, useEffect, useState } from 'react'

/**
 * The state of a menu with a toggle button. Escape, a press outside and a change of `path` close it. The focus returns to
 * the button, unless it is outside already.
 */
export function useMenu(
  button: RefObject<HTMLElement | null>,
  menu: RefObject<HTMLElement | null>,
  path: string,
) {
  const [open, setOpen] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path closes the menu
  useEffect(() => setOpen(false), [path])

  useEffect(() => {
    if (!open) return
    const close = () => {
      const focused = document.activeElement
      // Elements in the closing menu lose the focus, and after a press on plain text nothing has it.
      if (menu.current?.contains(focused) || focused === document.body) button.current?.focus()
      setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      close()
      button.current?.focus()
    }
    // `pointerup`: by then the focus has moved, and a scrolling touch does not fire it.
    const onPress = ({ target }: PointerEvent) => {
      const isOurs = target instanceof Node && [button, menu].some((part) => part.current?.contains(target))
      if (!isOurs) close()
    }
    // Browsers may restore the page from their cache: it must not show an open menu.
    const onHide = () => setOpen(false)
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerup', onPress)
    addEventListener('pagehide', onHide)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerup', onPress)
      removeEventListener('pagehide', onHide)
    }
  }, [open, button, menu])

  return { open, setOpen }
}

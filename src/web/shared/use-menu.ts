import { type RefObject, useEffect, useState } from 'react'

/**
 * Holds the state of a menu with a toggle button. Escape, a click outside and a change of `path` close the menu. The focus then
 * returns to the button, unless it is already outside the menu.
 */
export function useToggleMenu(
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
      // Closing the menu removes the focused element, and a click on plain text leaves nothing focused.
      if (menu.current?.contains(focused) || focused === document.body) button.current?.focus()
      setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      close()
      button.current?.focus()
    }
    // Listens to `pointerup`, because the focus has moved by then, and because a scrolling touch does not fire it.
    const onPress = ({ target }: PointerEvent) => {
      const isOurs = target instanceof Node && [button, menu].some((part) => part.current?.contains(target))
      if (!isOurs) close()
    }
    // Browsers may restore the page from the back-forward cache, where it must not show an open menu.
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

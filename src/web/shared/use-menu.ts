import { type RefObject, useEffect, useState } from 'react'

/**
 * A menu that one button opens and closes. Escape, a press elsewhere and another page close it, too; the focus goes
 * back to the button unless it is somewhere else already.
 */
export function useMenu(
  button: RefObject<HTMLElement | null>,
  menu: RefObject<HTMLElement | null>,
  path: string,
) {
  const [open, setOpen] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is what closes it
  useEffect(() => setOpen(false), [path])

  useEffect(() => {
    if (!open) return
    const close = () => {
      const focused = document.activeElement
      // A hidden element cannot keep the focus, and nothing has it after a press on plain text.
      if (menu.current?.contains(focused) || focused === document.body) button.current?.focus()
      setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      close()
      button.current?.focus()
    }
    // The end of a press: by then the focus has moved, and a finger that scrolls has not pressed anything.
    const onPress = ({ target }: PointerEvent) => {
      const isOurs = target instanceof Node && [button, menu].some((part) => part.current?.contains(target))
      if (!isOurs) close()
    }
    // A page that the browser kept as it was left.
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

import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'

/** Shows the page of an entry: takes over the HTML that the server drew, or draws it where the server sent none. */
export function mount(page: ReactNode): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no #root')
  const strict = <StrictMode>{page}</StrictMode>
  if (!root.hasChildNodes()) {
    createRoot(root).render(strict)
    return
  }
  // A press before the page could answer is not lost: `vite.config.ts` has marked it. React answers later ones itself.
  const pressed = root.querySelector<HTMLElement>('[data-pressed]')
  pressed?.removeAttribute('data-pressed')
  // In small steps: a phone takes long enough over it that a tap would be kept waiting.
  startTransition(() => void hydrateRoot(root, strict))
  // React first takes over the part that is pressed. Within an effect it cannot, and would drop the press.
  pressed?.click()
}

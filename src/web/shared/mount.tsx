import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'

/** Renders the page of an entry: hydrates the HTML that the server rendered, or renders from scratch if the server sent none. */
export function renderIntoDocument(page: ReactNode): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no #root')
  const strict = <StrictMode>{page}</StrictMode>
  if (!root.hasChildNodes()) {
    createRoot(root).render(strict)
    return
  }
  // A click before hydration is not lost: a script of `vite.config.ts` has marked the clicked element. React replays later clicks
  // itself.
  const pressed = root.querySelector<HTMLElement>('[data-pressed]')
  pressed?.removeAttribute('data-pressed')
  // Hydrates in small steps. On a phone, hydration takes so long that a tap would otherwise have to wait.
  startTransition(() => void hydrateRoot(root, strict))
  // The click makes React hydrate that part of the page first. Inside an effect, React cannot do so and would drop the click.
  pressed?.click()
}

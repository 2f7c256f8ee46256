import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'

/** Shows the page of an entry: takes over the HTML that the server drew, or draws it where the server sent none. */
export function mount(page: ReactNode): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no #root')
  const strict = <StrictMode>{page}</StrictMode>
  // In small steps: a phone takes long enough over it that a tap would be kept waiting.
  if (root.hasChildNodes()) startTransition(() => void hydrateRoot(root, strict))
  else createRoot(root).render(strict)
}

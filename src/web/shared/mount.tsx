import { type ReactNode, StrictMode, startTransition, useEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'

/** Shows the page of an entry: takes over the HTML that the server drew, or draws it where the server sent none. */
export function mount(page: ReactNode): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no #root')
  const strict = (
    <StrictMode>
      <PressAgain>{page}</PressAgain>
    </StrictMode>
  )
  // In small steps: a phone takes long enough over it that a tap would be kept waiting.
  if (root.hasChildNodes()) startTransition(() => void hydrateRoot(root, strict))
  else createRoot(root).render(strict)
}

/** A press before the page could answer is not lost: `vite.config.ts` has marked it. */
function PressAgain({ children }: { children: ReactNode }) {
  useEffect(() => document.querySelector<HTMLElement>('[data-pressed]')?.click(), [])
  return children
}
